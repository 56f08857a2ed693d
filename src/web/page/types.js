/**
 * What the program answers, as docs/api.md tells it. Only types: nothing here runs in the browser.
 *
 * @typedef {"x"|"o"} Side
 * @typedef {"win"|"draw"|"loss"} Value
 *
 * @typedef {Object} Game
 * @property {string} name
 * @property {string} summary
 * @property {boolean} listed
 * @property {number} width
 * @property {number} height
 * @property {"squares"|"columns"|"hexagons"} shape
 * @property {{columns: string[], rows: string[]|null}} labels
 * @property {"marks"|"stones"|"discs"} pieces
 * @property {string|null} score_meaning
 * @property {string[]} agents
 *
 * @typedef {Object} LegalMove
 * @property {string} move
 * @property {number|null} row
 * @property {number|null} column
 *
 * @typedef {Object} PastMove
 * @property {string} move
 * @property {Side} side
 * @property {number|null} row
 * @property {number|null} column
 * @property {string} text
 * @property {boolean} pass
 *
 * @typedef {Object} Position
 * @property {string} game
 * @property {string} text
 * @property {string|null} moves
 * @property {string[]} rows
 * @property {Side} to_move
 * @property {number|null} ply
 * @property {Side|"draw"|null} outcome
 * @property {string|null} result
 * @property {[number, number]|null} discs
 * @property {string|null} pass
 * @property {string} canonical
 * @property {LegalMove[]} legal
 * @property {PastMove[]} [history]
 *
 * @typedef {Object} RunRow
 * @property {string} name
 * @property {string|null} sweep
 * @property {string} game
 * @property {"x"|"o"|"both"} side
 * @property {string} learner
 * @property {"finished"|"unfinished"|"training"} state
 * @property {number} seeds
 * @property {number} all_seeds
 * @property {number} epochs
 * @property {number} all_epochs
 * @property {number} episodes
 * @property {number|null} unbeatable_best
 * @property {number|null} unbeatable_last
 * @property {number|null} win_rate
 * @property {string} opponent
 * @property {"unbeatable"|"beatable"|"mixed"|"unknown"} verdict
 * @property {boolean} readable
 *
 * @typedef {Object} SeedPoint
 * @property {number} epoch
 * @property {number} episodes
 * @property {boolean|null} unbeatable
 *
 * @typedef {Object} Seed
 * @property {number} seed
 * @property {SeedPoint} best
 * @property {SeedPoint} last
 * @property {number|null} unbeatable_from
 * @property {number[]} checkpoints
 *
 * @typedef {{win: number, draw: number, loss: number}} Rates
 *
 * @typedef {Object} Run
 * @property {RunRow} row
 * @property {string} config
 * @property {string} subject
 * @property {boolean} listed
 * @property {boolean} learns
 * @property {Side[]} sides
 * @property {string[]} opponents
 * @property {string[]} verdicts
 * @property {{side: Side, opponent: string, method: string, best: Rates|null, last: Rates|null}[]} strength
 * @property {Seed[]} seeds
 * @property {string[]} cautions
 * @property {string[]|null} command
 * @property {string|null} started
 * @property {string|null} finished
 * @property {number|null} seconds
 * @property {string|null} version
 *
 * @typedef {Object} Axis
 * @property {string} label
 * @property {number} low
 * @property {number} high
 * @property {number[]} [ticks]
 * @property {boolean} [log]
 *
 * @typedef {Object} Series
 * @property {string} name
 * @property {string} color
 * @property {[number, number]|null} dash
 * @property {[number, number][]} points
 * @property {number[]} [dots]
 * @property {[number, number, number][]|null} [band]
 * @property {[number, number][][]|null} [thin]
 *
 * @typedef {Object} Panel
 * @property {string} title
 * @property {Axis} y
 * @property {Series[]} series
 * @property {{value: number, name: string, color: string, dash: [number, number]|null}[]} levels
 * @property {{x: number, name: string, color: string, dash: [number, number]|null}[]} marks
 *
 * @typedef {Object} Figure
 * @property {string} title
 * @property {string} subtitle
 * @property {string} caption
 * @property {Axis} x
 * @property {Panel[][]} groups
 *
 * @typedef {Object} InspectedMove
 * @property {string} move
 * @property {number|null} row
 * @property {number|null} column
 * @property {number|null} q
 * @property {number|null} probability
 * @property {number|null} visits
 * @property {Value|null} value
 * @property {number|null} score
 * @property {number|null} distance
 * @property {boolean|null} optimal
 * @property {boolean|null} mistake
 *
 * @typedef {Object} Inspection
 * @property {Position} position
 * @property {number} epoch
 * @property {number} episodes
 * @property {boolean} learned
 * @property {boolean} exact
 * @property {Value|null} value
 * @property {number|null} score
 * @property {number|null} distance
 * @property {string|null} score_meaning
 * @property {InspectedMove[]} moves
 *
 * @typedef {Object} PastOfMove
 * @property {string} move
 * @property {number|null} row
 * @property {number|null} column
 * @property {Value|null} value
 * @property {boolean|null} optimal
 * @property {(number|null)[]} q
 * @property {(number|null)[]} probability
 * @property {(number|null)[]} visits
 *
 * @typedef {Object} Past
 * @property {number[]} epochs
 * @property {number[]} episodes
 * @property {Value|null} value
 * @property {PastOfMove[]} moves
 *
 * @typedef {Object} Mistake
 * @property {string} text
 * @property {string} moves
 * @property {number} ply
 * @property {number} probability
 * @property {number} often
 * @property {number} cost
 * @property {{move: string, row: number|null, column: number|null, probability: number, value: Value}[]} played
 * @property {string[]} best
 * @property {Value} value
 *
 * @typedef {Object} Mistakes
 * @property {Side} side
 * @property {string} opponent
 * @property {number} positions
 * @property {number} mistaken
 * @property {number} lost
 * @property {Mistake[]} mistakes
 *
 * @typedef {Object} Thought
 * @property {string} move
 * @property {number|null} row
 * @property {number|null} column
 * @property {number|null} probability
 * @property {number|null} value
 * @property {number|null} visits
 * @property {number|null} score
 * @property {number|null} exact_score
 * @property {Value|null} proven
 * @property {boolean|null} optimal
 *
 * @typedef {Object} Thoughts
 * @property {string} text
 * @property {string} agent
 * @property {Thought[]} moves
 * @property {string[]} line
 *
 * @typedef {Object} HintMove
 * @property {string} move
 * @property {number|null} row
 * @property {number|null} column
 * @property {number} [rate]
 * @property {number} [visits]
 * @property {boolean} [best]
 * @property {Value} [value]
 * @property {number|null} [score]
 * @property {number|null} [distance]
 * @property {boolean} [optimal]
 *
 * @typedef {Object} Hint
 * @property {"estimate"|"exact"} kind
 * @property {number} [simulations]
 * @property {Value} [value]
 * @property {number|null} [score]
 * @property {number|null} [distance]
 * @property {string|null} [score_meaning]
 * @property {HintMove[]} moves
 *
 * @typedef {Object} AgentOption
 * @property {string} name
 * @property {string|null} default
 * @property {string} about
 * @property {"integer"|"number"|"boolean"|"choice"|"text"} type
 * @property {number|null} minimum
 * @property {number|null} maximum
 * @property {string[]|null} choices
 *
 * @typedef {Object} AgentKind
 * @property {string} name
 * @property {string} plays
 * @property {string[]} examples
 * @property {AgentOption[]} options
 *
 * What stands on a square of a board beside the pieces.
 * @typedef {Object} Note
 * @property {string} [text] in the middle
 * @property {number} [bar] from 0 to 1, at the bottom
 * @property {Value} [truth] a badge in the corner
 * @property {boolean} [mistake]
 * @property {boolean} [best]
 * @property {string} [words] all of it, for those who cannot see it
 *
 * What every view gets.
 * @typedef {Object} Page
 * @property {URLSearchParams} query
 * @property {(values: Object<string, string|number|null|undefined>) => void} set puts values into the address
 * @property {(text: string) => void} title
 * @property {(text: string) => void} announce says it to those who cannot see it
 * @property {AbortSignal} left is aborted when the view is left
 *
 * @typedef {(root: HTMLElement, page: Page) => void|((query: URLSearchParams) => void)} View
 */
export {};
