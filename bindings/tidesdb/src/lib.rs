//! TidesDB. A write is a transaction, and so is a batch.

#[path = "../../rust/embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Properties, Result};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use tidesdb::{
    ColumnFamily, ColumnFamilyConfig, CompressionAlgorithm, Config, IsolationLevel, LogLevel,
    SyncMode, TidesDB, Transaction,
};

const ISOLATION: IsolationLevel = IsolationLevel::ReadCommitted;
const RECORDS: &str = "records";

/// Dropped in this order: the transactions and the family live in the database.
struct Tides {
    idle: Mutex<Vec<Transaction<'static>>>,
    records: ColumnFamily<'static>,
    facts: BTreeMap<String, String>,
    _database: Box<TidesDB>,
    database: &'static TidesDB,
}

impl Tides {
    /// Runs `work` in a transaction that has seen nothing yet; one that failed is not used again.
    fn transact<T>(&self, work: impl FnOnce(&mut Transaction<'static>) -> Result<T>) -> Result<T> {
        let before = self.idle.lock().expect("nobody panics here").pop();
        let mut transaction = match before {
            Some(transaction) => transaction,
            None => self.database.begin_transaction_with_isolation(ISOLATION)?,
        };
        let result = work(&mut transaction)?;
        self.idle.lock().expect("nobody panics here").push(transaction);
        Ok(result)
    }

    fn value(&self, transaction: &Transaction<'static>, key: &[u8]) -> Result<Option<Vec<u8>>> {
        patiently(|| match transaction.get_notrack(&self.records, key) {
            Err(error) if error.is_not_found() => Ok(None),
            result => result.map(Some),
        })
    }
}

/// Repeats `work` while the engine is busy with something that it has to wait for.
fn patiently<T>(mut work: impl FnMut() -> tidesdb::Result<T>) -> Result<T> {
    loop {
        match work() {
            Err(error) if error.is_locked() => std::thread::yield_now(),
            result => return Ok(result?),
        }
    }
}

impl Engine for Tides {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let value = self.transact(|transaction| self.value(transaction, key))?;
        Ok(value.inspect(|value| found(value)).is_some())
    }

    fn get_all(
        &self,
        keys: &mut dyn Iterator<Item = &[u8]>,
        found: &mut dyn FnMut(Option<&[u8]>),
    ) -> Result<()> {
        self.transact(|transaction| {
            for key in keys {
                found(self.value(transaction, key)?.as_deref());
            }
            Ok(())
        })
    }

    fn write(&self, batch: Batch) -> Result<()> {
        self.transact(|transaction| {
            batch.each_expiring(|key, value, seconds| match value {
                Some(value) if seconds > 0 => patiently(|| {
                    let ttl = Duration::from_secs(seconds.into());
                    transaction.put_with_ttl(&self.records, key, value, ttl)
                }),
                Some(value) => patiently(|| transaction.put(&self.records, key, value)),
                None => patiently(|| transaction.delete(&self.records, key)),
            })?;
            patiently(|| transaction.commit())?;
            Ok(transaction.reset(ISOLATION)?)
        })
    }

    fn scan(
        &self,
        from: &[u8],
        to: Option<&[u8]>,
        visit: &mut dyn FnMut(&[u8], &[u8]) -> bool,
    ) -> Result<()> {
        self.transact(|transaction| {
            let mut records = match to {
                Some(to) => transaction.new_range_iterator(&self.records, from, to)?,
                None => transaction.new_iterator(&self.records)?,
            };
            records.seek(from)?;
            while records.is_valid() {
                let (key, value) = records.key_value()?;
                if to.is_some_and(|to| key.as_slice() >= to) || !visit(&key, &value) {
                    break;
                }
                match records.next() {
                    Err(error) if error.is_not_found() => break,
                    result => result?,
                }
            }
            Ok(())
        })
    }

    fn facts(&self) -> BTreeMap<String, String> {
        self.facts.clone()
    }
}

fn compression(name: &str) -> Result<CompressionAlgorithm> {
    Ok(match name {
        "none" => CompressionAlgorithm::None,
        "snappy" => CompressionAlgorithm::Snappy,
        "lz4" => CompressionAlgorithm::Lz4,
        "zstd" => CompressionAlgorithm::Zstd,
        _ => return Err(format!("the property 'compression' is '{name}', not none, snappy, lz4 or zstd").into()),
    })
}

fn open(properties: &Properties) -> Result<Tides> {
    let sync = properties.flag("sync")?;
    let config = Config::new(properties.text("dir")?)
        .log_level(LogLevel::Error)
        .block_cache_size(properties.number("block-cache-bytes")? as usize)
        .memtable_write_buffer_size(properties.number("write-buffer-bytes")? as usize)
        .memtable_sync_mode(if sync { SyncMode::Full } else { SyncMode::Interval })
        .memtable_sync_interval_us(properties.number("sync-interval-micros")?);
    let family = ColumnFamilyConfig::new()
        .compression_algorithm(compression(properties.text("compression")?)?)
        .keep_values_inline(properties.flag("keep-values-inline")?);
    let opened = Box::new(TidesDB::open(config)?);
    // Lives until the box is dropped, after everything that borrows from it.
    let database: &'static TidesDB = unsafe { &*(&*opened as *const TidesDB) };
    if !database.list_column_families()?.iter().any(|name| name == RECORDS) {
        database.create_column_family(RECORDS, family)?;
    }
    let text = |value: &str| value.to_string();
    let facts = BTreeMap::from([
        (text("version"), text(tidesdb::TIDESDB_LINKED_VERSION)),
        (text("sync"), sync.to_string()),
        (text("compression"), text(properties.text("compression")?)),
        (text("keep-values-inline"), text(properties.text("keep-values-inline")?)),
    ]);
    Ok(Tides {
        idle: Mutex::new(Vec::new()),
        records: database.get_column_family(RECORDS)?,
        facts,
        _database: opened,
        database,
    })
}

export!(open);
