//! TidesDB. A write is a transaction, and so is a batch.

#[path = "../../rust/embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Facts, Found, Keys, PerThread, Properties, Result, Visit};
use std::time::{Duration, Instant};
use tidesdb::{
    ColumnFamily, ColumnFamilyConfig, CompressionAlgorithm, Config, IsolationLevel, LogLevel,
    SyncMode, TidesDB, Transaction, TIDESDB_LINKED_VERSION,
};

const RECORDS: &str = "records";

/// Dropped in this order: the transactions and the family live in the database.
struct Tides {
    idle: PerThread<Transaction<'static>>,
    records: ColumnFamily<'static>,
    _database: Box<TidesDB>,
    database: &'static TidesDB,
}

impl Tides {
    /// Runs `work` in a transaction that has seen nothing yet; one that failed is not used again.
    fn transact(&self, work: impl FnOnce(&mut Transaction) -> Result<()>) -> Result<()> {
        let begin = || self.database.begin_transaction().map(Box::new);
        let mut tx = self.idle.take().map_or_else(begin, Ok)?;
        work(&mut tx)?;
        self.idle.keep(tx);
        Ok(())
    }
}

/// Less than the minute after which kvrank ends a phase without an answer, and knows no reason.
const PATIENCE: Duration = Duration::from_secs(30);

/// Repeats `work` while the engine is busy with something that it has to wait for.
fn patiently<T>(mut work: impl FnMut() -> tidesdb::Result<T>) -> tidesdb::Result<T> {
    let mut since = None;
    loop {
        let result = work();
        let locked = matches!(&result, Err(error) if error.is_locked());
        if !locked || since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
            return result;
        }
        std::thread::yield_now();
    }
}

impl Engine for Tides {
    fn read(&self, keys: Keys, found: &mut Found) -> Result<()> {
        self.transact(|tx| {
            for key in keys {
                match patiently(|| tx.get_notrack(&self.records, key)) {
                    Err(error) if error.is_not_found() => found(None),
                    value => found(Some(&value?)),
                }
            }
            Ok(())
        })
    }

    fn write(&self, batch: Batch) -> Result<()> {
        self.transact(|tx| {
            batch.each_expiring(|key, value, ttl| {
                Ok(patiently(|| match (value, ttl) {
                    (Some(value), Some(ttl)) => tx.put_with_ttl(&self.records, key, value, ttl),
                    (Some(value), None) => tx.put(&self.records, key, value),
                    (None, _) => tx.delete(&self.records, key),
                })?)
            })?;
            patiently(|| tx.commit())?;
            Ok(tx.reset(IsolationLevel::ReadCommitted)?)
        })
    }

    fn scan(&self, from: &[u8], to: Option<&[u8]>, visit: &mut Visit) -> Result<()> {
        self.transact(|tx| {
            let mut records = patiently(|| match to {
                Some(to) => tx.new_range_iterator(&self.records, from, to),
                None => tx.new_iterator(&self.records),
            })?;
            records.seek(from)?;
            while records.is_valid() {
                let (key, value) = records.key_value()?;
                if to.is_some_and(|to| key.as_slice() >= to) || !visit(&key, &value) {
                    break;
                }
                records.next()?;
            }
            Ok(())
        })
    }

    fn facts(&self, properties: &Properties) -> Facts {
        properties.facts(TIDESDB_LINKED_VERSION, ["sync", "compression", "keep-values-inline"])
    }
}

fn open(properties: &Properties) -> Result<Tides> {
    let sync =
        properties.choice("sync", &[("true", SyncMode::Full), ("false", SyncMode::Interval)])?;
    let config = Config::new(properties.text("dir")?)
        .log_level(LogLevel::Error)
        .block_cache_size(properties.number("block-cache-bytes")? as usize)
        .memtable_write_buffer_size(properties.number("write-buffer-bytes")? as usize)
        .memtable_sync_mode(sync)
        .memtable_sync_interval_us(properties.number("sync-interval-micros")?);
    let compressions = [
        ("none", CompressionAlgorithm::None),
        ("snappy", CompressionAlgorithm::Snappy),
        ("lz4", CompressionAlgorithm::Lz4),
        ("zstd", CompressionAlgorithm::Zstd),
    ];
    let family = ColumnFamilyConfig::new()
        .compression_algorithm(properties.choice("compression", &compressions)?)
        .keep_values_inline(properties.flag("keep-values-inline")?);
    let opened = Box::new(TidesDB::open(config)?);
    // Lives until the box is dropped, after everything that borrows from it.
    let database: &'static TidesDB = unsafe { &*(&*opened as *const TidesDB) };
    if !database.list_column_families()?.iter().any(|name| name == RECORDS) {
        database.create_column_family(RECORDS, family)?;
    }
    let records = database.get_column_family(RECORDS)?;
    Ok(Tides { idle: PerThread::default(), records, _database: opened, database })
}

export!(open);
