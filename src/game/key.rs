/// A number of up to 256 bits that no other position of the game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    // The order of the fields makes keys compare as numbers.
    high: u128,
    low: u128,
}

impl Key {
    /// The number, if it has at most 64 bits.
    #[inline]
    pub fn to_u64(self) -> Option<u64> {
        self.to_u128()?.try_into().ok()
    }

    /// The number, if it has at most 128 bits.
    #[inline]
    pub const fn to_u128(self) -> Option<u128> {
        if self.high == 0 { Some(self.low) } else { None }
    }

    /// The number's words, the most significant first.
    #[inline]
    pub const fn words(self) -> [u64; 4] {
        let Key { high, low } = self;
        [
            (high >> 64) as u64,
            high as u64,
            (low >> 64) as u64,
            low as u64,
        ]
    }
}

impl From<u64> for Key {
    #[inline]
    fn from(number: u64) -> Key {
        Key::from(u128::from(number))
    }
}

impl From<u128> for Key {
    #[inline]
    fn from(number: u128) -> Key {
        Key {
            high: 0,
            low: number,
        }
    }
}

/// From words, the most significant first.
impl From<[u64; 4]> for Key {
    #[inline]
    fn from([a, b, c, d]: [u64; 4]) -> Key {
        Key {
            high: u128::from(a) << 64 | u128::from(b),
            low: u128::from(c) << 64 | u128::from(d),
        }
    }
}
