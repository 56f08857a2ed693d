//! What tests' games whose positions are plain numbers have in common.

/// Keys and notation of a game that is a `struct` around a `u64`.
macro_rules! notation_by_number {
    () => {
        fn key(self) -> playlab::game::Key {
            playlab::game::Key::from(self.0)
        }

        fn from_key(key: playlab::game::Key) -> Self {
            Self(key.to_u64().unwrap())
        }

        fn stones(self) -> [u128; 2] {
            [self.0.into(), 0]
        }

        fn format(self) -> String {
            self.0.to_string()
        }

        fn parse(text: &str) -> Result<Self, String> {
            let number = text.parse().map(Self);
            number.map_err(|_| "expected a number".to_owned())
        }
    };
}

pub(crate) use notation_by_number;
