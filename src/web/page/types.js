/**
 * What the program answers, as docs/api.md describes it. Only types: nothing here runs in the browser.
 * @typedef {number|null|undefined} Num
 * @typedef {"x"|"o"} Side
 * @typedef {"win"|"draw"|"loss"} Value
 * @typedef {{name: string, summary: string, listed: boolean, width: number, height: number,
 *   shape: "squares"|"columns"|"hexagons", labels: {columns: string[], rows: string[]|null},
 *   pieces: "marks"|"stones"|"discs", in_a_row: number|null, score_meaning: string|null, agents: string[]}} Game
 * @typedef {{move: string, row: number|null, column: number|null}} LegalMove
 * @typedef {{move: string, side: Side, row: number|null, column: number|null, text: string, pass: boolean}} PastMove
 * @typedef {{game: string, text: string, moves: string|null, rows: string[], to_move: Side, ply: number|null,
 *   outcome: Side|"draw"|null, result: string|null, discs: [number, number]|null, pass: string|null,
 *   canonical: string, legal: LegalMove[], history?: PastMove[]}} Position
 * @typedef {{name: string, sweep: string|null, game: string, side: "x"|"o"|"both", learner: string,
 *   state: "finished"|"unfinished"|"training", seeds: number, all_seeds: number, epochs: number, all_epochs: number, done_epochs: number,
 *   episodes: number, unbeatable_best: number|null, unbeatable_last: number|null, win_rate: number|null,
 *   opponent: string, verdict: "unbeatable"|"beatable"|"mixed"|"unknown", readable: boolean}} RunRow
 * @typedef {{epoch: number, episodes: number, unbeatable: boolean|null}} SeedPoint
 * @typedef {{seed: number, best: SeedPoint, last: SeedPoint, unbeatable_from: number|null, checkpoints: number[]}} Seed
 * @typedef {{win: number, draw: number, loss: number}} Rates
 * @typedef {{row: RunRow, config: string, subject: string, listed: boolean, learns: boolean, sides: Side[],
 *   opponents: string[], verdicts: string[],
 *   strength: {side: Side, opponent: string, method: string, best: Rates|null, last: Rates|null}[], seeds: Seed[],
 *   command: string[]|null, started: string|null, finished: string|null, seconds: number|null,
 *   version: string|null}} Run
 * @typedef {{label: string, low: number, high: number, ticks?: number[], log?: boolean}} Axis
 * @typedef {{name: string, color: string, dash: [number, number]|null, points: [number, number][], dots?: number[],
 *   band?: [number, number, number][]|null, thin?: [number, number][][]|null}} Series
 * @typedef {{title: string, y: Axis, series: Series[],
 *   levels: {value: number, name: string, color: string, dash: [number, number]|null}[],
 *   marks: {x: number, name: string, color: string, dash: [number, number]|null}[]}} Panel
 * @typedef {{title: string, subtitle: string, caption: string, x: Axis, groups: Panel[][]}} Figure
 * @typedef {{move: string, row: number|null, column: number|null, q: number|null, probability: number|null,
 *   stochastic: number|null, visits: number|null, value: Value|null, score: number|null, distance: number|null, optimal: boolean|null,
 *   mistake: boolean|null}} InspectedMove
 * @typedef {{position: Position, checkpoint: string, epoch: number, episodes: number, learned: boolean, exact: boolean,
 *   numbers: "values"|"preferences", state_value: number|null, value: Value|null,
 *   score: number|null, distance: number|null, score_meaning: string|null, line: string[],
 *   moves: InspectedMove[]}} Inspection
 * @typedef {{move: string, row: number|null, column: number|null, value: Value|null, optimal: boolean|null,
 *   q: (number|null)[], probability: (number|null)[], visits: (number|null)[]}} PastOfMove
 * @typedef {{epochs: number[], episodes: number[], value: Value|null, moves: PastOfMove[]}} Past
 * @typedef {{text: string, moves: string, ply: number, probability: number, often: number, cost: number,
 *   played: {move: string, row: number|null, column: number|null, probability: number, value: Value}[],
 *   best: string[], value: Value}} Mistake
 * @typedef {{side: Side, opponent: string, positions: number, mistaken: number, lost: number, mistakes: Mistake[]}} Mistakes
 * @typedef {{move: string, row: number|null, column: number|null, probability: number|null, value: number|null,
 *   visits: number|null, score: number|null, exact_score: number|null, proven: Value|null, optimal: boolean|null}} Thought
 * @typedef {{text: string, agent: string, numbers: "values"|"preferences", moves: Thought[]}} Thoughts
 * @typedef {{move: string, row: number|null, column: number|null, rate?: number, visits?: number, best?: boolean,
 *   value?: Value, score?: number|null, distance?: number|null, optimal?: boolean}} HintMove
 * @typedef {{kind: "estimate"|"exact", simulations?: number, value?: Value, score?: number|null,
 *   distance?: number|null, score_meaning?: string|null, moves: HintMove[]}} Hint
 * @typedef {{name: string, default: string|null, about: string, type: "integer"|"number"|"boolean"|"choice"|"text",
 *   minimum: number|null, maximum: number|null, choices: string[]|null}} AgentOption
 * @typedef {{type: "choice", name: string, choices: string[], default: string|null}|{type: "run"|"file"|"command"}} Subject
 * @typedef {{name: string, plays: string, names: string[], examples: string[], subject: Subject|null, options: AgentOption[],
 *   opponent: string|null}} AgentKind
 *
 * What stands on a square of a board besides the pieces.
 * @typedef {{text?: string|false|null, bar?: Num, truth?: Value|false|null, mistake?: boolean, best?: boolean|null, words?: string}} Note
 *
 * What every view gets.
 * @typedef {{query: URLSearchParams, set: (values: Object<string, string|number|null|undefined>) => void,
 *   title: (text: string) => void, announce: (text: string) => void, left: AbortSignal}} Page
 * @typedef {(root: HTMLElement, page: Page) => void} View
 *
 * A move, by the agent and in truth; `rate` is a search's estimate where the truth is out of reach.
 * @typedef {{move: string, q: number|null, probability: number|null, visits: number|null, value: Value|null, score: number|null,
 *   distance: number|null, optimal: boolean|null, mistake: boolean, rate?: number}} Opinion
 */

/**
 * A column of a table: what it means, what it shows, what it sorts by, and a class of its cells.
 * @template T
 * @typedef {{name: any, about?: string|null, show: (row: T) => any, by?: (row: T) => string|number|null, kind?: string}} Column
 */
export {};
