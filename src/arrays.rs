//! Named arrays: what a learner is made of when it is saved.

/// Named arrays, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrays(Vec<(String, Array)>);

impl Arrays {
    /// No arrays.
    pub fn new() -> Arrays {
        Arrays::default()
    }

    /// Adds an array, in the place of one of the same name if there is one.
    pub fn insert(&mut self, name: impl Into<String>, array: impl Into<Array>) {
        let (name, array) = (name.into(), array.into());
        match self.0.iter_mut().find(|(other, _)| *other == name) {
            Some((_, place)) => *place = array,
            None => self.0.push((name, array)),
        }
    }

    /// Whether there is an array of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.iter().any(|(other, _)| other == name)
    }

    /// The numbers of an array. Errors: a sentence if there is no such array, or one of another
    /// type.
    pub fn get<T: Element>(&self, name: &str) -> Result<&[T], String> {
        let (_, array) = self
            .iter()
            .find(|&(other, _)| other == name)
            .ok_or_else(|| format!("the array {name:?} is missing"))?;
        T::of(array).ok_or_else(|| {
            let (found, expected) = (array.type_name(), T::NAME);
            format!("the array {name:?} holds {found} where {expected} is expected")
        })
    }

    /// As [`get`](Self::get), but `None` if there is no such array.
    pub fn find<T: Element>(&self, name: &str) -> Result<Option<&[T]>, String> {
        let found = self.contains(name).then(|| self.get(name));
        found.transpose()
    }

    /// Names and arrays.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Array)> {
        self.0.iter().map(|(name, array)| (name.as_str(), array))
    }
}

/// A type of numbers that an array can hold.
pub trait Element: Copy {
    /// What Rust calls it.
    const NAME: &'static str;

    /// The numbers of an array of this type.
    fn of(array: &Array) -> Option<&[Self]>;
}

macro_rules! elements {
    ($($variant:ident $type:ident $what:literal),+) => {
        /// A one-dimensional array.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Array {
            $(#[doc = $what] $variant(Vec<$type>)),+
        }

        impl Array {
            fn type_name(&self) -> &'static str {
                match self {
                    $(Array::$variant(_) => $type::NAME),+
                }
            }
        }

        $(
            impl From<Vec<$type>> for Array {
                fn from(numbers: Vec<$type>) -> Array {
                    Array::$variant(numbers)
                }
            }

            impl Element for $type {
                const NAME: &'static str = stringify!($type);

                fn of(array: &Array) -> Option<&[$type]> {
                    match array {
                        Array::$variant(numbers) => Some(numbers),
                        _ => None,
                    }
                }
            }
        )+
    };
}

elements! {
    U8 u8 "Whole numbers of 8 bits.",
    U32 u32 "Whole numbers of 32 bits.",
    U64 u64 "Whole numbers of 64 bits.",
    I32 i32 "Whole numbers of 32 bits, negative ones too.",
    F32 f32 "Floating-point numbers of 32 bits.",
    F64 f64 "Floating-point numbers of 64 bits."
}
