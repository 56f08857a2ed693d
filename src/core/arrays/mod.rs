//! Named arrays: the form in which learners are saved, and which other programs read and write.

mod npz;
mod sink;

use std::io::{self, Write};

use self::npz::write_numbers;
pub use self::npz::{NpzWriter, from_npz, named_from_npz, to_npz};
pub use self::sink::Sink;

/// Named arrays, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrays(Vec<Named>);

#[derive(Clone, Debug, PartialEq)]
struct Named {
    name: String,
    array: Array,
    /// Its dimensions except the first; empty for a plain list of numbers.
    row: Vec<usize>,
}

impl Arrays {
    /// Adds a one-dimensional array, replacing any array of the same name.
    pub fn insert(&mut self, name: impl Into<String>, array: impl Into<Array>) {
        self.insert_rows(name, array, &[]);
    }

    /// As [`insert`](Self::insert), for several dimensions: `row` has all except the first, in C order.
    pub fn insert_rows(&mut self, name: impl Into<String>, array: impl Into<Array>, row: &[usize]) {
        let named = Named {
            name: name.into(),
            array: array.into(),
            row: row.to_vec(),
        };
        match self.0.iter_mut().find(|other| other.name == named.name) {
            Some(place) => *place = named,
            None => self.0.push(named),
        }
    }

    /// Whether there is an array of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.iter().any(|(other, _)| other == name)
    }

    /// The numbers of a one-dimensional array. Errors: a sentence if there is no such array, or
    /// it has another type or more dimensions.
    pub fn get<T: Element>(&self, name: &str) -> Result<&[T], String> {
        let named = self.named(name)?;
        if !named.row.is_empty() {
            let shape = shape(named.array.len(), &named.row);
            return Err(format!(
                "the array {name:?} has the shape {shape} where one dimension is expected"
            ));
        }
        T::of(&named.array).ok_or_else(|| {
            let (found, expected) = (named.array.type_name(), T::NAME);
            format!("the array {name:?} holds {found} where {expected} is expected")
        })
    }

    /// As [`get`](Self::get), for an array with this many numbers. Errors: also that it has more or fewer.
    pub fn exactly<T: Element>(&self, name: &str, count: usize) -> Result<&[T], String> {
        let numbers = self.get(name)?;
        match numbers.len() {
            found if found == count => Ok(numbers),
            found => Err(format!(
                "the array {name:?} has {}, expected {count}",
                crate::text::count(found as u64, "number")
            )),
        }
    }

    /// An array and the dimensions of its rows. Errors: a sentence if there is no such array.
    pub fn rows(&self, name: &str) -> Result<(&Array, &[usize]), String> {
        self.named(name).map(|named| (&named.array, &named.row[..]))
    }

    fn named(&self, name: &str) -> Result<&Named, String> {
        let found = self.0.iter().find(|named| named.name == name);
        found.ok_or_else(|| format!("the array {name:?} is missing"))
    }

    /// As [`get`](Self::get), but `None` if there is no such array.
    pub fn find<T: Element>(&self, name: &str) -> Result<Option<&[T]>, String> {
        let found = self.contains(name).then(|| self.get(name));
        found.transpose()
    }

    /// Names and arrays.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Array)> {
        let named = self.0.iter();
        named.map(|named| (named.name.as_str(), &named.array))
    }
}

/// A shape as numpy writes it, such as `(3, 4)` or `(3,)`.
pub(crate) fn shape(length: usize, row: &[usize]) -> String {
    let numbers = row
        .iter()
        .fold(1_usize, |all, size| all.saturating_mul(*size));
    let rows = length / numbers.max(1);
    let rest: Vec<String> = row.iter().map(usize::to_string).collect();
    format!("({rows}, {})", rest.join(", ")).replace(", )", ",)")
}

/// A type of numbers that an array can hold.
pub trait Element: Copy {
    /// The type's name in Rust.
    const NAME: &'static str;

    /// The numbers of an array, if it has this type.
    fn of(array: &Array) -> Option<&[Self]>;
}

macro_rules! elements {
    ($($variant:ident $type:ident $descr:literal $what:literal),+) => {
        /// The content of an array: numbers of one type, or texts, one after the other.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Array {
            $(#[doc = $what] $variant(Vec<$type>),)+
            /// Texts, each padded with zeros to the width.
            Text {
                /// Bytes of each text, at least 1.
                width: usize,
                /// The bytes of all texts.
                bytes: Vec<u8>,
            },
        }

        impl Array {
            /// The number of numbers or texts.
            #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
            pub fn len(&self) -> usize {
                match self {
                    $(Array::$variant(numbers) => numbers.len(),)+
                    Array::Text { width, bytes } => bytes.len() / width,
                }
            }

            /// Appends the numbers of another array. Panics if their types differ, or if they are texts.
            fn append(&mut self, other: Array) {
                match (self, other) {
                    $((Array::$variant(all), Array::$variant(more)) => all.extend(more),)+
                    _ => panic!("pieces are of one type"),
                }
            }

            /// What NumPy calls the type.
            fn descr(&self) -> String {
                match self {
                    $(Array::$variant(_) => $descr.to_owned(),)+
                    Array::Text { width, .. } => format!("|S{width}"),
                }
            }

            /// Writes the numbers, little-endian, or the texts.
            fn write(&self, npy: &mut impl Write) -> io::Result<()> {
                match self {
                    $(Array::$variant(numbers) => write_numbers(numbers, $type::to_le_bytes, npy),)+
                    Array::Text { bytes, .. } => npy.write_all(bytes),
                }
            }

            fn type_name(&self) -> &'static str {
                match self {
                    $(Array::$variant(_) => $type::NAME,)+
                    Array::Text { .. } => "text",
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
    U8 u8 "|u1" "Whole numbers of 8 bits.",
    U32 u32 "<u4" "Whole numbers of 32 bits.",
    U64 u64 "<u8" "Whole numbers of 64 bits.",
    I64 i64 "<i8" "Whole numbers of 64 bits, negative ones too.",
    I32 i32 "<i4" "Whole numbers of 32 bits, negative ones too.",
    F32 f32 "<f4" "Floating-point numbers of 32 bits.",
    F64 f64 "<f8" "Floating-point numbers of 64 bits."
}

impl Array {
    /// An array of these texts.
    pub fn texts(texts: &[String]) -> Array {
        let width = texts.iter().map(String::len).max().unwrap_or(0).max(1);
        let mut bytes = Vec::with_capacity(width * texts.len());
        for (number, text) in (1..).zip(texts) {
            bytes.extend_from_slice(text.as_bytes());
            bytes.resize(number * width, 0);
        }
        Array::Text { width, bytes }
    }
}
