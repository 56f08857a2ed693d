//! Arrays as `.npz` files.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use playlab::arrays::{Array, Arrays, NpzWriter, Sink, from_npz, named_from_npz, to_npz};
use proptest::prelude::*;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter};

/// The format and its version, 1.0.
const MAGIC: [u8; 8] = *b"\x93NUMPY\x01\x00";

const LIMIT: u64 = 1 << 20;

fn samples() -> Arrays {
    let mut arrays = Arrays::default();
    arrays.insert("moves", vec![0_u8, 7, 255]);
    arrays.insert("visits", vec![1_u32, u32::MAX]);
    arrays.insert("keys", (0..3000).collect::<Vec<u64>>());
    arrays.insert("values", vec![0.1, -0.0, f64::INFINITY, f64::MIN_POSITIVE]);
    arrays.insert("none", Vec::<u8>::new());
    arrays.insert("no_values", Vec::<f64>::new());
    arrays
}

/// An archive with one array of these bytes.
fn archive(npy: &[u8], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    let file = archive.new_file("a.npy").compression_method(method);
    let (mut file, config) = file.start().unwrap();
    let sums = if method == CompressionMethod::DEFLATE {
        let mut writer = config.wrap(DeflateEncoder::new(&mut file, Compression::best()));
        writer.write_all(npy).unwrap();
        let (encoder, sums) = writer.finish().unwrap();
        encoder.finish().unwrap();
        sums
    } else {
        let mut writer = config.wrap(&mut file);
        writer.write_all(npy).unwrap();
        writer.finish().unwrap().1
    };
    file.finish(sums).unwrap();
    archive.finish().unwrap()
}

fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [&MAGIC[..], &length, header.as_bytes(), data].concat()
}

fn refused(npy: &[u8]) -> String {
    from_npz(&archive(npy, CompressionMethod::DEFLATE), LIMIT).unwrap_err()
}

#[test]
fn every_type_survives_a_round_trip() {
    let arrays = samples();
    let npz = to_npz(&arrays);
    assert_eq!(npz, to_npz(&arrays));
    assert_eq!(from_npz(&npz, LIMIT), Ok(arrays));
    assert_eq!(
        from_npz(&to_npz(&Arrays::default()), 0),
        Ok(Arrays::default())
    );
}

/// Saves numbers that are nowhere held in one array.
fn save(sink: &mut dyn Sink) {
    for length in [0, 1, 65_536, 65_537, 200_000] {
        let name = format!("numbers_{length}");
        sink.insert_numbers(name, length, (0..length as u64).map(|i| i * i));
    }
    sink.insert_numbers(
        "bytes",
        200_000,
        (0..200_000_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8),
    );
    sink.insert("moves", vec![3_u8, 1]);
}

#[test]
fn arrays_that_come_in_pieces_are_saved_like_whole_ones() {
    let mut arrays = Arrays::default();
    save(&mut arrays);
    let squares: Vec<u64> = (0..200_000).map(|i| i * i).collect();
    for length in [0, 1, 65_536, 65_537, 200_000] {
        let name = format!("numbers_{length}");
        assert_eq!(arrays.get(&name), Ok(&squares[..length]));
    }
    let mut bytes = Vec::new();
    let mut npz = NpzWriter::new(&mut bytes);
    save(&mut npz);
    npz.finish().unwrap();
    assert_eq!(bytes, to_npz(&arrays));
}

/// A disk that is full after this many bytes, for one write.
struct Full(Option<usize>);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            None => Ok(bytes.len()),
            Some(0) => {
                self.0 = None;
                Err(io::ErrorKind::StorageFull.into())
            }
            Some(left) => {
                let taken = bytes.len().min(*left);
                *left -= taken;
                Ok(taken)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_reported_at_the_end() {
    let mut arrays = Arrays::default();
    save(&mut arrays);
    let whole = to_npz(&arrays).len();
    for room in [0, 10, 1000, 100_000, whole - 1] {
        let mut disk = Full(Some(room));
        let mut npz = NpzWriter::new(&mut disk);
        save(&mut npz);
        let error = npz.finish().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "room for {room}");
    }
}

#[test]
#[should_panic(expected = "there is an array \"numbers_0\"")]
fn two_arrays_of_one_name_are_a_mistake() {
    let mut bytes = Vec::<u8>::new();
    let mut npz = NpzWriter::new(&mut bytes);
    save(&mut npz);
    save(&mut npz);
}

#[test]
#[should_panic(expected = "there is an array")]
fn two_arrays_of_one_name_are_a_mistake_in_memory_too() {
    let mut arrays = Arrays::default();
    save(&mut arrays);
    save(&mut arrays);
}

#[test]
#[should_panic(expected = "there are 5 numbers")]
fn fewer_numbers_than_announced_are_a_mistake() {
    let arrays: &mut dyn Sink = &mut Arrays::default();
    arrays.insert_numbers("moves", 5, [1_u8, 2].into_iter());
}

#[test]
fn dimensions_survive_a_round_trip_and_a_list_has_one() {
    let mut arrays = Arrays::default();
    arrays.insert_rows("planes", vec![1_u8, 2, 3, 4, 5, 6, 7, 8], &[2, 2]);
    arrays.insert_rows("none", Vec::<f64>::new(), &[3]);
    arrays.insert("counts", vec![-1_i64, i64::MAX]);
    let npz = to_npz(&arrays);
    let found = from_npz(&npz, LIMIT).unwrap();
    assert_eq!(found, arrays);
    assert_eq!(found.rows("planes").unwrap().1, [2, 2]);
    assert_eq!(
        found.get::<u8>("planes").unwrap_err(),
        "the array \"planes\" has the shape (2, 2, 2) where one dimension is expected"
    );
}

#[test]
fn texts_are_written_as_numpy_reads_them_and_can_be_left_out() {
    let mut arrays = Arrays::default();
    let names = ["a1", "", "pass", ""].map(str::to_owned);
    arrays.insert("names", Array::texts(&names));
    arrays.insert("keys", vec![1_u64]);
    let npz = to_npz(&arrays);
    let archive = ZipArchive::from_slice(&npz).unwrap();
    let mut npy = Vec::new();
    let entry = archive.entries().next_entry().unwrap().unwrap();
    let entry = archive.get_entry(entry.wayfinder()).unwrap();
    DeflateDecoder::new(entry.data())
        .read_to_end(&mut npy)
        .unwrap();
    let header = String::from_utf8_lossy(&npy[10..128]);
    assert!(header.starts_with("{'descr': '|S4', 'fortran_order': False, 'shape': (4,), }"));
    assert_eq!(&npy[128..], b"a1\0\0\0\0\0\0pass\0\0\0\0");
    let error = from_npz(&npz, LIMIT).unwrap_err();
    assert!(error.starts_with("the array \"names\" holds \"|S4\"; only"));
    let found = named_from_npz(&npz, &["keys", "other"], LIMIT).unwrap();
    assert_eq!(found.get::<u64>("keys"), Ok(&[1][..]));
    assert!(!found.contains("names"));
}

#[test]
fn numbers_begin_at_a_multiple_of_64() {
    for length in [0, 1, 99, 100_000] {
        let mut arrays = Arrays::default();
        arrays.insert("a", vec![0.5; length]);
        let npz = to_npz(&arrays);
        let archive = ZipArchive::from_slice(&npz).unwrap();
        let entry = archive.entries().next_entry().unwrap().unwrap();
        let size = entry.uncompressed_size_hint() as usize;
        assert_eq!((size - 8 * length) % 64, 0);
    }
}

#[test]
fn arrays_that_are_stored_without_compression_are_read() {
    let npy = npy(
        "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }",
        &[1, 0, 0, 0],
    );
    let arrays = from_npz(&archive(&npy, CompressionMethod::STORE), LIMIT).unwrap();
    assert_eq!(arrays.get::<u32>("a"), Ok(&[1][..]));
}

#[test]
fn booleans_are_read_as_bytes() {
    let header = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }";
    let arrays = from_npz(
        &archive(&npy(header, &[0, 1]), CompressionMethod::STORE),
        LIMIT,
    );
    assert_eq!(arrays.unwrap().get::<u8>("a"), Ok(&[0, 1][..]));
}

#[test]
fn what_is_not_an_array_is_refused() {
    for (descr, fortran, shape, why) in [
        ("<i2", "False", "1,", "holds \"<i2\"; only"),
        (">f8", "False", "1,", "holds \">f8\"; only"),
        ("<f8", "True", "1,", "is in Fortran's order"),
        ("<f8", "False", "", "has the shape (), which is none"),
        ("<f8", "False", "-1,", "has the shape (-1,), which is none"),
        ("<f8", "False", "2,", "is damaged"),
        ("<u4", "False", "1,", "is damaged: it goes on after"),
        ("<f8", "False", "1099511627776,", "is cut off"),
        ("<f8", "False", "2305843009213693952,", "is cut off"),
    ] {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': ({shape}), }}");
        let found = refused(&npy(&header, &[0; 8]));
        let sentence = format!("the array \"a\" {why}");
        assert!(found.starts_with(&sentence), "{header}: {found}");
    }
    let found = refused(&npy("{}", &[0; 8]));
    assert_eq!(found, "the array \"a\" has a header that cannot be read");
    assert!(refused(b"\x93NUMPY\x02\x00      ").contains("not in the NPY format"));
    assert!(refused(b"\x93NUM").contains("damaged"));
}

#[test]
fn a_bomb_is_refused() {
    let mut arrays = Arrays::default();
    arrays.insert("a", vec![0_u8; 2 << 20]);
    let npz = to_npz(&arrays);
    assert!(npz.len() < 4096);
    let found = from_npz(&npz, LIMIT).unwrap_err();
    assert_eq!(
        found,
        "the array \"a\" has 2097152 numbers, more than there can be"
    );
    // The limit applies to all arrays together.
    let mut arrays = Arrays::default();
    arrays.insert("a", vec![0_u8; 600]);
    arrays.insert("b", vec![0_u8; 600]);
    let npz = to_npz(&arrays);
    assert!(from_npz(&npz, 1200).is_ok());
    assert!(from_npz(&npz, 1199).unwrap_err().contains("\"b\""));
}

#[test]
fn a_truncated_file_is_refused() {
    let npz = to_npz(&samples());
    for end in 0..npz.len() {
        assert!(from_npz(&npz[..end], LIMIT).is_err(), "{end}");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        descr in "[|<>]?[uif][1248]",
        order in "True|False|",
        shape in "[0-9]{0,20},?|[0-9]{1,3}, [0-9]",
        ending in "[ \n]{0,9}|.{0,3}",
    ) {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({shape}), }}{ending}");
        for content in [&bytes, &[&MAGIC[..], &bytes].concat(), &npy(&header, &bytes)] {
            let _ = from_npz(content, LIMIT);
            let _ = from_npz(&archive(content, CompressionMethod::STORE), LIMIT);
            let _ = from_npz(&archive(content, CompressionMethod::DEFLATE), LIMIT);
        }
    }

    #[test]
    fn damage_is_an_error_or_does_not_matter(place in any::<prop::sample::Index>(), byte: u8) {
        let arrays = samples();
        let mut npz = to_npz(&arrays);
        let place = place.index(npz.len());
        npz[place] = byte;
        // Names have no checksum; numbers have one.
        for (_, array) in from_npz(&npz, LIMIT).unwrap_or_default().iter() {
            prop_assert!(arrays.iter().any(|(_, other)| other == array));
        }
    }
}

#[test]
fn more_arrays_than_any_learner_has_are_refused() {
    let mut arrays = Arrays::default();
    for i in 0..65 {
        arrays.insert(format!("a{i}"), Vec::<u8>::new());
    }
    let error = from_npz(&to_npz(&arrays), LIMIT).unwrap_err();
    assert_eq!(error, "it has more than 64 arrays");
}

#[test]
fn arrays_are_found_by_name_and_type() {
    let mut arrays = Arrays::default();
    arrays.insert("visits", vec![1_u32, 2]);
    arrays.insert("values", vec![0.5]);
    arrays.insert("visits", vec![3_u32]);
    let names: Vec<&str> = arrays.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["visits", "values"]);
    assert_eq!(arrays.get::<u32>("visits"), Ok(&[3][..]));
    assert!(!arrays.contains("keys"));
    assert_eq!(
        arrays.get::<u64>("keys").unwrap_err(),
        "the array \"keys\" is missing"
    );
    assert_eq!(
        arrays.get::<f64>("visits").unwrap_err(),
        "the array \"visits\" holds u32 where f64 is expected"
    );
}
