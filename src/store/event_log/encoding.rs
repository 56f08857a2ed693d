//! The bytes of an event file: records framed as by TensorFlow's `record_writer`, each of which is a
//! message `Event` of TensorBoard's `event.proto` in the encoding of protocol buffers.

use std::collections::BTreeMap;

use toml::Value;

/// The record with which every event file begins: the version of the format.
pub fn head() -> Vec<u8> {
    event(0, 3, b"brain.Event:2")
}

/// The record of numbers at a step, each with its tag.
pub fn scalars<'a>(step: u64, scalars: impl IntoIterator<Item = (&'a str, f64)>) -> Vec<u8> {
    let mut summary = Message::default();
    for (tag, value) in scalars {
        let value = Message::default()
            .bytes(1, tag.as_bytes())
            .float(2, value as f32);
        summary = summary.bytes(1, &value.0);
    }
    event(step, 5, &summary.0)
}

/// The record that makes the files of a directory a row of the HPARAMS tab: the start of a session with these
/// hyper-parameters, whose results are the scalars that follow. The end of the session is not recorded, so that a
/// training that goes on only adds to the file.
pub fn hyperparameters(all: &BTreeMap<String, Value>) -> Vec<u8> {
    let mut session = Message::default();
    for (name, value) in all {
        let value = match value {
            Value::Integer(number) => Message::default().double(2, *number as f64),
            Value::Float(number) => Message::default().double(2, *number),
            Value::Boolean(is_so) => Message::default().number(4, u64::from(*is_so)),
            Value::String(text) => Message::default().bytes(3, text.as_bytes()),
            other => Message::default().bytes(3, other.to_string().as_bytes()),
        };
        let entry = Message::default()
            .bytes(1, name.as_bytes())
            .bytes(2, &value.0);
        session = session.bytes(1, &entry.0);
    }
    let content = Message::default().bytes(3, &session.0);
    let plugin = Message::default().bytes(1, b"hparams").bytes(2, &content.0);
    let metadata = Message::default().bytes(1, &plugin.0);
    // There has to be a tensor: one of floats, with one dimension of size 0.
    let shape = Message::default().bytes(2, b"");
    let tensor = Message::default().number(1, 1).bytes(2, &shape.0);
    let value = Message::default()
        .bytes(1, b"_hparams_/session_start_info")
        .bytes(8, &tensor.0)
        .bytes(9, &metadata.0);
    event(0, 5, &Message::default().bytes(1, &value.0).0)
}

/// The record of an event at a step, with the content of this field. Its wall time, in seconds, is
/// the step: a clock's time would differ in every training.
fn event(step: u64, field: u64, content: &[u8]) -> Vec<u8> {
    let event = Message::default()
        .double(1, step as f64)
        .number(2, step)
        .bytes(field, content);
    let length = (event.0.len() as u64).to_le_bytes();
    [
        &length[..],
        &masked_crc(&length),
        &event.0,
        &masked_crc(&event.0),
    ]
    .concat()
}

/// A message, field by field.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn key(&mut self, field: u64, wire_type: u64) {
        self.varint(field << 3 | wire_type);
    }

    fn varint(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(mut self, field: u64, number: u64) -> Message {
        self.key(field, 0);
        self.varint(number);
        self
    }

    fn double(mut self, field: u64, number: f64) -> Message {
        self.key(field, 1);
        self.0.extend(number.to_le_bytes());
        self
    }

    /// Text, bytes, or a nested message.
    fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.key(field, 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn float(mut self, field: u64, number: f32) -> Message {
        self.key(field, 5);
        self.0.extend(number.to_le_bytes());
        self
    }
}

/// The checksum of a part of a record: CRC-32C, masked as in TensorFlow's `crc32c.h`.
fn masked_crc(bytes: &[u8]) -> [u8; 4] {
    let crc = crc32c(bytes);
    crc.rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
}

/// CRC-32C (Castagnoli), RFC 3720, appendix B.4.
fn crc32c(bytes: &[u8]) -> u32 {
    let crc = bytes.iter().fold(!0, |crc: u32, &byte| {
        CRC_OF_BYTE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8)
    });
    !crc
}

const CRC_OF_BYTE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte as u32, 0);
        while bit < 8 {
            crc = (crc >> 1) ^ ((crc & 1) * 0x82f6_3b78);
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3720, appendix B.4, and the check value of the catalogue of CRCs.
    #[test]
    fn the_checksum_has_published_values() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
    }

    /// The bytes that the `RecordWriter` of TensorBoard 2.21 writes for the same event.
    #[test]
    fn a_record_is_that_of_tensorboards_own_writer() {
        let known = "2a00000000000000ae8d91f5090000000000c0724010ac022a1c0a1a0a134f20762072616e\
                     646f6d2f77696e2072617465150000403f020ecd62";
        let record = scalars(300, [("O v random/win rate", 0.75)]);
        let hex: String = record.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, known);
    }
}
