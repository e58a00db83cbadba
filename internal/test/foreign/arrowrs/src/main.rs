//! Writes testdata/writers/arrow_rs_alp.parquet: ALP by another hand. The path
//! is the argument. encoding/alp's tests know the formula of the values.
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{DoubleType, FloatType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::sync::Arc;

const ROWS: u64 = 3000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("where to write?")?;
    let schema = Arc::new(parse_message_type("message schema { optional double d; optional float f; }")?);
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::ALP)
        .set_compression(Compression::UNCOMPRESSED)
        .set_data_page_row_count_limit(2000)
        .set_write_batch_size(500)
        .set_created_by("arrow-rs 60.1.0".to_string())
        .build();

    let mut state: u64 = 88172645463325252;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut doubles, mut floats) = (Vec::<f64>::new(), Vec::<f32>::new());
    for i in (0..ROWS).filter(|i| i % 7 != 3) {
        let k = next();
        doubles.push(match k % 50 {
            0 => f64::from_bits(0x7ff8000000000123),
            1 => -0.0,
            2 => f64::from_bits(next()),
            _ if i < 1500 => ((k >> 8) % 1000000) as f64 / 100.0,
            _ => (i as f64 - 2000.0) * 1e15,
        });
        floats.push(match k % 50 {
            0 => f32::from_bits(0x7fc00123),
            1 => -0.0,
            2 => f32::from_bits(next() as u32),
            _ if i < 1500 => ((k >> 8) % 10000) as f32 / 10.0,
            _ => i as f32 * 0.5 - 1000.0,
        });
    }
    let levels: Vec<i16> = (0..ROWS).map(|i| (i % 7 != 3) as i16).collect();

    let mut file = SerializedFileWriter::new(File::create(path)?, schema, Arc::new(properties))?;
    let mut group = file.next_row_group()?;
    let mut column = group.next_column()?.ok_or("no column")?;
    column.typed::<DoubleType>().write_batch(&doubles, Some(&levels), None)?;
    column.close()?;
    let mut column = group.next_column()?.ok_or("no column")?;
    column.typed::<FloatType>().write_batch(&floats, Some(&levels), None)?;
    column.close()?;
    group.close()?;
    file.close()?;
    Ok(())
}
