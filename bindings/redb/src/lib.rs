//! redb. A write is a transaction, and so is a batch; one writes at a time.

#[path = "../../rust/embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Facts, Found, Keys, Properties, Result, Visit};
use redb::{Database, Durability, ReadableDatabase, TableDefinition};
use std::path::Path;

const RECORDS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("records");

struct Redb {
    database: Database,
    sync: bool,
}

impl Engine for Redb {
    fn read(&self, keys: Keys, found: &mut Found) -> Result<()> {
        let records = self.database.begin_read()?.open_table(RECORDS)?;
        for key in keys {
            found(records.get(key)?.as_ref().map(|value| value.value()));
        }
        Ok(())
    }

    fn write(&self, batch: Batch) -> Result<()> {
        let mut transaction = self.database.begin_write()?;
        let durability = if self.sync { Durability::Immediate } else { Durability::None };
        transaction.set_durability(durability)?;
        {
            let mut records = transaction.open_table(RECORDS)?;
            batch.each(|key, value| {
                match value {
                    Some(value) => records.insert(key, value)?,
                    None => records.remove(key)?,
                };
                Ok(())
            })?;
        }
        Ok(transaction.commit()?)
    }

    fn scan(&self, from: &[u8], to: Option<&[u8]>, visit: &mut Visit) -> Result<()> {
        let records = self.database.begin_read()?.open_table(RECORDS)?;
        for record in records.range::<&[u8]>(embedded::range(from, to))? {
            let (key, value) = record?;
            if !visit(key.value(), value.value()) {
                break;
            }
        }
        Ok(())
    }

    fn facts(&self, properties: &Properties) -> Facts {
        properties.facts(version!("redb"), ["sync", "cache-bytes"])
    }
}

fn open(properties: &Properties) -> Result<Redb> {
    let folder = Path::new(properties.text("dir")?);
    let sync = properties.flag("sync")?;
    let cache = properties.number("cache-bytes")?;
    std::fs::create_dir_all(folder)?;
    let database =
        Database::builder().set_cache_size(cache as usize).create(folder.join("records.redb"))?;
    let transaction = database.begin_write()?;
    transaction.open_table(RECORDS)?;
    transaction.commit()?;
    Ok(Redb { database, sync })
}

export!(open);
