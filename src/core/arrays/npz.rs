//! Arrays as the bytes of an `.npz` file, which `numpy.load` opens: a ZIP archive of `.npy` files, each with a short
//! header and the numbers (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>).

use std::borrow::Cow;
use std::io::{self, BufReader, Read, Write};
use std::iter::once;

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ErrorKind, ZipArchive, ZipArchiveWriter, ZipSliceEntry};

use super::{Array, Arrays, Named, Sink, shape};

/// The format and its version, 1.0.
const MAGIC: [u8; 8] = *b"\x93NUMPY\x01\x00";
/// Headers are padded so that the numbers begin at a multiple of this.
const ALIGNMENT: usize = 64;
/// The most arrays that are read; no learner has more.
const MOST_ARRAYS: usize = 64;
/// The most bytes that one byte of a deflated file can expand to.
const GREATEST_RATIO: u64 = 1032;

/// Writes arrays as an `.npz` file. The same arrays give the same bytes. Panics if a name is
/// longer than 65,531 bytes.
pub fn to_npz(arrays: &Arrays) -> Vec<u8> {
    let mut npz = Vec::new();
    let mut writer = NpzWriter::new(&mut npz);
    for Named { name, array, row } in &arrays.0 {
        let shape = shape(array.len(), row);
        writer.write(name, &shape, &mut once(Cow::Borrowed(array)));
    }
    writer.finish().expect("writing to memory does not fail");
    npz
}

/// Writes arrays to an `.npz` file one after another: the same bytes as from [`to_npz`], without holding all arrays in
/// memory. The file is complete once [`finish`](Self::finish) returns without an error.
pub struct NpzWriter<'a> {
    archive: ZipArchiveWriter<&'a mut dyn Write>,
    names: Vec<String>,
    /// The first error. Nothing more is written after it.
    failed: Option<rawzip::Error>,
}

impl<'a> NpzWriter<'a> {
    /// Begins a file.
    pub fn new(to: &'a mut dyn Write) -> NpzWriter<'a> {
        NpzWriter {
            archive: ZipArchiveWriter::new(to),
            names: Vec::new(),
            failed: None,
        }
    }

    /// Ends the file. Errors: the first error of the underlying writer. Panics if a name was longer than 65,531 bytes.
    pub fn finish(self) -> io::Result<()> {
        let wrote = match self.failed {
            Some(error) => Err(error),
            None => self.archive.finish().map(drop),
        };
        wrote.map_err(|error| match error.into_kind() {
            ErrorKind::IO(error) => error,
            other => panic!("an archive of arrays: {other}"),
        })
    }

    fn write(&mut self, name: &str, shape: &str, pieces: &mut dyn Iterator<Item = Cow<'_, Array>>) {
        let known = self.names.iter().any(|other| other == name);
        assert!(!known, "there is an array {name:?}");
        self.names.push(name.to_owned());
        if self.failed.is_some() {
            return;
        }
        let archive = &mut self.archive;
        let wrote = || -> Result<(), rawzip::Error> {
            let path = format!("{name}.npy");
            let file = archive.new_file(&path);
            let (mut file, config) = file
                .compression_method(CompressionMethod::DEFLATE)
                .start()?;
            let encoder = DeflateEncoder::new(&mut file, Compression::default());
            let mut npy = config.wrap(encoder);
            let first = pieces.next().expect("an array comes in pieces");
            let kind = first.descr();
            npy.write_all(&header(&kind, shape))?;
            first.write(&mut npy)?;
            for piece in pieces {
                assert!(piece.descr() == kind, "pieces are of one type");
                piece.write(&mut npy)?;
            }
            let (encoder, sums) = npy.finish()?;
            encoder.finish()?;
            file.finish(sums)?;
            Ok(())
        };
        self.failed = wrote().err();
    }
}

impl Sink for NpzWriter<'_> {
    fn put(&mut self, name: &str, length: usize, pieces: &mut dyn Iterator<Item = Array>) {
        self.write(
            name,
            &shape(length, &[]),
            &mut pieces.map(Cow::<Array>::Owned),
        );
    }
}

pub(super) fn write_numbers<T: Copy, const N: usize>(
    numbers: &[T],
    bytes: fn(T) -> [u8; N],
    npy: &mut impl Write,
) -> io::Result<()> {
    let mut chunk = Vec::new();
    for numbers in numbers.chunks(1024) {
        chunk.clear();
        chunk.extend(numbers.iter().copied().flat_map(bytes));
        npy.write_all(&chunk)?;
    }
    Ok(())
}

fn header(descr: &str, shape: &str) -> Vec<u8> {
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    // Two bytes hold the header's length, and one the end of the line.
    let end = (MAGIC.len() + 2 + text.len() + 1).next_multiple_of(ALIGNMENT) - 1;
    text.push_str(&" ".repeat(end - MAGIC.len() - 2 - text.len()));
    text.push('\n');
    let length = text.len() as u16;
    [&MAGIC[..], &length.to_le_bytes(), text.as_bytes()].concat()
}

/// Reads an `.npz` file whose numbers take at most `limit_bytes` in total. Sizes are checked
/// before memory is allocated. Errors: a sentence that says what is wrong with the file.
pub fn from_npz(npz: &[u8], limit_bytes: u64) -> Result<Arrays, String> {
    read(npz, limit_bytes, &|_| true)
}

/// As [`from_npz`], but reads only the arrays with these names; there may be others, of any kind.
pub fn named_from_npz(npz: &[u8], names: &[&str], limit_bytes: u64) -> Result<Arrays, String> {
    read(npz, limit_bytes, &|name| names.contains(&name))
}

fn read(npz: &[u8], limit_bytes: u64, wanted: &dyn Fn(&str) -> bool) -> Result<Arrays, String> {
    let not_whole = |why: rawzip::Error| format!("it is not a whole .npz file: {why}");
    let archive = ZipArchive::from_slice(npz).map_err(not_whole)?;
    let mut arrays = Arrays::default();
    let mut left = limit_bytes;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(not_whole)? {
        if arrays.iter().count() == MOST_ARRAYS {
            return Err(format!("it has more than {MOST_ARRAYS} arrays"));
        }
        let path = entry.file_path();
        let name = str::from_utf8(path.as_bytes()).ok();
        let Some(name) = name.and_then(|name| name.strip_suffix(".npy")) else {
            let path = String::from_utf8_lossy(path.as_bytes());
            return Err(format!("it has an entry {path:?}, which is no .npy file"));
        };
        if arrays.contains(name) {
            return Err(format!("it has two arrays {name:?}"));
        }
        if !wanted(name) {
            continue;
        }
        let data = archive.get_entry(entry.wayfinder()).map_err(not_whole)?;
        let array = read_npy(&data, entry.compression_method(), &mut left);
        let (array, row) = array.map_err(|why| format!("the array {name:?} {why}"))?;
        arrays.insert_rows(name, array, &row);
    }
    Ok(arrays)
}

/// Reads an array. Errors: the rest of a sentence that begins with "the array …".
fn read_npy(
    entry: &ZipSliceEntry<'_>,
    method: CompressionMethod,
    left: &mut u64,
) -> Result<(Array, Vec<usize>), String> {
    let there = entry.data().len() as u64;
    let (most, reader): (u64, Box<dyn Read>) = match method {
        CompressionMethod::STORE => (there, Box::new(entry.data())),
        CompressionMethod::DEFLATE => (
            there.saturating_mul(GREATEST_RATIO),
            Box::new(DeflateDecoder::new(entry.data())),
        ),
        _ => return Err("is compressed in another way than by deflate".to_owned()),
    };
    let mut npy = BufReader::new(entry.verifying_reader(reader));
    let (descr, shape) = read_header(&mut npy)?;
    let count = shape
        .iter()
        .fold(1_u64, |all, &size| all.saturating_mul(size));
    // The number of numbers, if the file can hold that many of this size and there is room for them.
    let mut length = |size: u64| -> Result<usize, String> {
        let bytes = count.saturating_mul(size);
        if bytes > most {
            return Err(format!("is cut off: it cannot have {count} numbers"));
        }
        let rest = left.checked_sub(bytes);
        *left = rest.ok_or_else(|| format!("has {count} numbers, more than there can be"))?;
        Ok(count as usize)
    };
    let array = match descr.as_str() {
        // Booleans are bytes, too.
        "|u1" | "|b1" => read_numbers(&mut npy, length(1)?, u8::from_le_bytes).map(Array::U8),
        "<u4" => read_numbers(&mut npy, length(4)?, u32::from_le_bytes).map(Array::U32),
        "<u8" => read_numbers(&mut npy, length(8)?, u64::from_le_bytes).map(Array::U64),
        "<i4" => read_numbers(&mut npy, length(4)?, i32::from_le_bytes).map(Array::I32),
        "<i8" => read_numbers(&mut npy, length(8)?, i64::from_le_bytes).map(Array::I64),
        "<f4" => read_numbers(&mut npy, length(4)?, f32::from_le_bytes).map(Array::F32),
        "<f8" => read_numbers(&mut npy, length(8)?, f64::from_le_bytes).map(Array::F64),
        _ => {
            return Err(format!(
                "holds {descr:?}; only |b1, |u1, <u4, <u8, <i4, <i8, <f4 and <f8 can be read"
            ));
        }
    };
    let array = array.map_err(|why| format!("is damaged: {why}"))?;
    let row = shape.iter().skip(1).map(|&size| size as usize);
    Ok((array, row.collect()))
}

/// Reads the type of the numbers, and their dimensions, at least one.
fn read_header(npy: &mut impl Read) -> Result<(String, Vec<u64>), String> {
    let damaged = |why: io::Error| format!("is damaged: {why}");
    let mut start = [0; MAGIC.len() + 2];
    npy.read_exact(&mut start).map_err(damaged)?;
    if start[..MAGIC.len()] != MAGIC {
        return Err("is not in the NPY format, version 1.0".to_owned());
    }
    let mut text = vec![0; usize::from(u16::from_le_bytes([start[8], start[9]]))];
    npy.read_exact(&mut text).map_err(damaged)?;
    let text = String::from_utf8_lossy(&text);
    // Always in this form, as numpy writes it.
    let parts = text
        .trim_end()
        .strip_prefix("{'descr': '")
        .and_then(|rest| rest.strip_suffix("), }"))
        .and_then(|rest| rest.split_once("', 'fortran_order': "))
        .and_then(|(descr, rest)| Some((descr, rest.split_once(", 'shape': (")?)));
    match parts {
        Some((_, ("True", _))) => {
            Err("is in Fortran's order; numpy.ascontiguousarray makes it C's".to_owned())
        }
        Some((descr, ("False", shape))) => {
            let sizes = shape.trim_end_matches(',').split(", ");
            let sizes: Option<Vec<u64>> = sizes.map(|size| size.parse().ok()).collect();
            let sizes = sizes.ok_or_else(|| format!("has the shape ({shape}), which is none"))?;
            Ok((descr.to_owned(), sizes))
        }
        _ => Err("has a header that cannot be read".to_owned()),
    }
}

/// Reads this many numbers, which must be followed by the end.
fn read_numbers<T, const N: usize>(
    npy: &mut impl Read,
    length: usize,
    number: fn([u8; N]) -> T,
) -> io::Result<Vec<T>> {
    let mut numbers = Vec::with_capacity(length);
    let mut bytes = [0; N];
    for _ in 0..length {
        npy.read_exact(&mut bytes)?;
        numbers.push(number(bytes));
    }
    // The checksum is compared at the end.
    match npy.read(&mut [0])? {
        0 => Ok(numbers),
        _ => Err(io::Error::other("it goes on after its last number")),
    }
}
