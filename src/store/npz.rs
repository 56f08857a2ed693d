//! Arrays as the bytes of an `.npz` file, which `numpy.load` opens: a ZIP archive of `.npy` files,
//! each a short header and the numbers (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>).

use std::io::{self, BufReader, Read, Write};

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter, ZipSliceEntry};

use crate::arrays::{Array, Arrays};

/// The format and its version, 1.0.
const MAGIC: [u8; 8] = *b"\x93NUMPY\x01\x00";
/// Headers are filled up so that the numbers begin at a multiple of this.
const ALIGNMENT: usize = 64;
/// No learner has more arrays.
const MOST_ARRAYS: usize = 64;
/// No byte of a deflated file makes more bytes than this.
const GREATEST_RATIO: u64 = 1032;

/// Writes arrays as an `.npz` file. The same arrays give the same bytes. Panics if a name is
/// longer than 65,531 bytes.
pub fn to_npz(arrays: &Arrays) -> Vec<u8> {
    let wrote = || -> Result<Vec<u8>, rawzip::Error> {
        let mut archive = ZipArchiveWriter::new(Vec::new());
        for (name, array) in arrays.iter() {
            let name = format!("{name}.npy");
            let file = archive.new_file(name.as_str());
            let (mut file, config) = file
                .compression_method(CompressionMethod::DEFLATE)
                .start()?;
            let encoder = DeflateEncoder::new(&mut file, Compression::default());
            let mut npy = config.wrap(encoder);
            write_npy(array, &mut npy)?;
            let (encoder, sums) = npy.finish()?;
            encoder.finish()?;
            file.finish(sums)?;
        }
        archive.finish()
    };
    wrote().expect("writing to memory does not fail")
}

fn write_npy(array: &Array, npy: &mut impl Write) -> io::Result<()> {
    match array {
        Array::U8(numbers) => {
            npy.write_all(&header("|u1", numbers.len()))?;
            npy.write_all(numbers)
        }
        Array::U32(numbers) => write_numbers("<u4", numbers, u32::to_le_bytes, npy),
        Array::U64(numbers) => write_numbers("<u8", numbers, u64::to_le_bytes, npy),
        Array::I32(numbers) => write_numbers("<i4", numbers, i32::to_le_bytes, npy),
        Array::F32(numbers) => write_numbers("<f4", numbers, f32::to_le_bytes, npy),
        Array::F64(numbers) => write_numbers("<f8", numbers, f64::to_le_bytes, npy),
    }
}

fn write_numbers<T: Copy, const N: usize>(
    descr: &str,
    numbers: &[T],
    bytes: fn(T) -> [u8; N],
    npy: &mut impl Write,
) -> io::Result<()> {
    npy.write_all(&header(descr, numbers.len()))?;
    let mut chunk = Vec::new();
    for numbers in numbers.chunks(1024) {
        chunk.clear();
        chunk.extend(numbers.iter().copied().flat_map(bytes));
        npy.write_all(&chunk)?;
    }
    Ok(())
}

fn header(descr: &str, length: usize) -> Vec<u8> {
    let mut text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({length},), }}");
    // Two bytes for the header's length, and one for the end of the line.
    let end = (MAGIC.len() + 2 + text.len() + 1).next_multiple_of(ALIGNMENT) - 1;
    text.push_str(&" ".repeat(end - MAGIC.len() - 2 - text.len()));
    text.push('\n');
    let length = text.len() as u16;
    [&MAGIC[..], &length.to_le_bytes(), text.as_bytes()].concat()
}

/// Reads an `.npz` file with arrays of one dimension whose numbers take no more than
/// `limit_bytes` together. Sizes are checked before memory is asked for. Errors: a sentence that
/// says what is wrong with it.
pub fn from_npz(npz: &[u8], limit_bytes: u64) -> Result<Arrays, String> {
    let told = |why: rawzip::Error| format!("it is not a whole .npz file: {why}");
    let archive = ZipArchive::from_slice(npz).map_err(told)?;
    let mut arrays = Arrays::new();
    let mut left = limit_bytes;
    let mut entries = archive.entries();
    while let Some(entry) = entries.next_entry().map_err(told)? {
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
        let data = archive.get_entry(entry.wayfinder()).map_err(told)?;
        let array = read_npy(&data, entry.compression_method(), &mut left);
        arrays.insert(
            name,
            array.map_err(|why| format!("the array {name:?} {why}"))?,
        );
    }
    Ok(arrays)
}

/// Reads an array; errors go on after "the array … ".
fn read_npy(
    entry: &ZipSliceEntry<'_>,
    method: CompressionMethod,
    left: &mut u64,
) -> Result<Array, String> {
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
    let (descr, length) = read_header(&mut npy)?;
    let size: u64 = match descr.as_str() {
        "|u1" => 1,
        "<u4" | "<i4" | "<f4" => 4,
        "<u8" | "<f8" => 8,
        _ => {
            return Err(format!(
                "holds {descr:?}; only |u1, <u4, <u8, <i4, <f4 and <f8 can be read"
            ));
        }
    };
    let bytes = length.saturating_mul(size);
    if bytes > most {
        return Err(format!("is cut off: it cannot have {length} numbers"));
    }
    *left = left
        .checked_sub(bytes)
        .ok_or_else(|| format!("has {length} numbers, more than this training can have found"))?;
    let length = length as usize;
    let array = match descr.as_str() {
        "|u1" => read_numbers(&mut npy, length, u8::from_le_bytes).map(Array::U8),
        "<u4" => read_numbers(&mut npy, length, u32::from_le_bytes).map(Array::U32),
        "<u8" => read_numbers(&mut npy, length, u64::from_le_bytes).map(Array::U64),
        "<i4" => read_numbers(&mut npy, length, i32::from_le_bytes).map(Array::I32),
        "<f4" => read_numbers(&mut npy, length, f32::from_le_bytes).map(Array::F32),
        _ => read_numbers(&mut npy, length, f64::from_le_bytes).map(Array::F64),
    };
    array.map_err(|why| format!("is damaged: {why}"))
}

/// The type of the numbers, and how many there are.
fn read_header(npy: &mut impl Read) -> Result<(String, u64), String> {
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
        Some((_, ("True", _))) => Err("is in Fortran's order".to_owned()),
        Some((descr, ("False", shape))) => {
            let length = shape.strip_suffix(',').and_then(|n| n.parse().ok());
            let length = length.ok_or_else(|| {
                format!("has the shape ({shape}) where one dimension is expected")
            })?;
            Ok((descr.to_owned(), length))
        }
        _ => Err("has a header that cannot be read".to_owned()),
    }
}

/// Reads so many numbers, and the end after them.
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
    // The end is where the checksum is compared.
    match npy.read(&mut [0])? {
        0 => Ok(numbers),
        _ => Err(io::Error::other("it goes on after its last number")),
    }
}
