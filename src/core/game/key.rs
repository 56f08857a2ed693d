/// A position's key: a number of up to 256 bits that no other position of the game has.
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
        match self.high {
            0 => self.low.try_into().ok(),
            _ => None,
        }
    }

    /// The number's halves, the more significant first.
    #[inline]
    pub const fn halves(self) -> [u128; 2] {
        [self.high, self.low]
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
        Key::from([0, number])
    }
}

/// Makes a key from halves, the more significant first.
impl From<[u128; 2]> for Key {
    #[inline]
    fn from([high, low]: [u128; 2]) -> Key {
        Key { high, low }
    }
}
