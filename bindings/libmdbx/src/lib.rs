//! libmdbx, a library in C. A write is a transaction, and so is a batch; one writes at a time.

#[path = "../../rust/embedded.rs"]
#[macro_use]
mod embedded;

use embedded::{Batch, Engine, Facts, Found, Keys, PerThread, Properties, Result, Visit};
use mdbx_sys::*;
use std::ffi::{c_int, CStr, CString};
use std::mem::{size_of, take, zeroed};
use std::ptr::{null, null_mut};
use std::slice;

struct Mdbx {
    env: *mut MDBX_env,
    records: MDBX_dbi,
    idle: PerThread<Reader>,
}

/// A transaction of reads. An idle one has ended, to be renewed.
struct Reader(*mut MDBX_txn);

// With MDBX_NOSTICKYTHREADS a transaction does not belong to the thread that began it.
unsafe impl Send for Mdbx {}
unsafe impl Sync for Mdbx {}
unsafe impl Send for Reader {}

impl Drop for Mdbx {
    fn drop(&mut self) {
        drop(take(&mut self.idle)); // They read the environment.
        unsafe { mdbx_env_close_ex(self.env, false) };
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        abort(self.0);
    }
}

fn abort(txn: *mut MDBX_txn) {
    unsafe { mdbx_txn_abort_ex(txn, null_mut()) };
}

fn check(code: c_int) -> Result<()> {
    if code == MDBX_SUCCESS as c_int {
        return Ok(());
    }
    let text = unsafe { CStr::from_ptr(mdbx_strerror(code)) };
    Err(text.to_string_lossy().into())
}

fn val(bytes: &[u8]) -> MDBX_val {
    MDBX_val { iov_base: bytes.as_ptr() as *mut _, iov_len: bytes.len() }
}

/// Valid until the transaction ends.
fn bytes<'a>(val: &MDBX_val) -> &'a [u8] {
    match val.iov_len {
        0 => &[],
        length => unsafe { slice::from_raw_parts(val.iov_base as *const u8, length) },
    }
}

impl Mdbx {
    fn begin(&self, parent: MDBX_txn_flags_t) -> Result<*mut MDBX_txn> {
        let mut txn = null_mut();
        check(unsafe { mdbx_txn_begin_ex(self.env, null_mut(), parent, &mut txn, null_mut()) })?;
        Ok(txn)
    }

    fn reading(&self, work: impl FnOnce(*mut MDBX_txn) -> Result<()>) -> Result<()> {
        let reader = match self.idle.take() {
            Some(reader) => {
                check(unsafe { mdbx_txn_renew(reader.0) })?;
                reader
            }
            None => Box::new(Reader(self.begin(MDBX_TXN_RDONLY)?)),
        };
        let result = work(reader.0);
        if check(unsafe { mdbx_txn_reset(reader.0) }).is_ok() {
            self.idle.keep(reader);
        }
        result
    }

    fn option(&self, option: MDBX_option_t) -> u64 {
        let mut value = 0;
        unsafe { mdbx_env_get_option(self.env, option, &mut value) };
        value
    }

    fn info(&self) -> MDBX_envinfo {
        let mut info = unsafe { zeroed::<MDBX_envinfo>() };
        unsafe { mdbx_env_info_ex(self.env, null(), &mut info, size_of::<MDBX_envinfo>()) };
        info
    }
}

impl Engine for Mdbx {
    fn read(&self, keys: Keys, found: &mut Found) -> Result<()> {
        self.reading(|txn| {
            let mut value = val(&[]);
            for key in keys {
                match unsafe { mdbx_get(txn, self.records, &val(key), &mut value) } {
                    MDBX_NOTFOUND => found(None),
                    code => {
                        check(code)?;
                        found(Some(bytes(&value)));
                    }
                }
            }
            Ok(())
        })
    }

    fn write(&self, batch: Batch) -> Result<()> {
        let txn = self.begin(MDBX_TXN_READWRITE)?;
        let written = batch.each(|key, value| match value {
            Some(value) => check(unsafe {
                mdbx_put(txn, self.records, &val(key), &mut val(value), MDBX_UPSERT)
            }),
            None => match unsafe { mdbx_del(txn, self.records, &val(key), null()) } {
                MDBX_NOTFOUND => Ok(()),
                code => check(code),
            },
        });
        match written {
            Ok(()) => check(unsafe { mdbx_txn_commit_ex(txn, null_mut()) }),
            Err(error) => {
                abort(txn);
                Err(error)
            }
        }
    }

    fn scan(&self, from: &[u8], to: Option<&[u8]>, visit: &mut Visit) -> Result<()> {
        self.reading(|txn| {
            let mut cursor = null_mut();
            check(unsafe { mdbx_cursor_open(txn, self.records, &mut cursor) })?;
            let (mut key, mut value) = (val(from), val(&[]));
            let mut operation = MDBX_SET_RANGE;
            let code = loop {
                match unsafe { mdbx_cursor_get(cursor, &mut key, &mut value, operation) } {
                    0 if to.is_some_and(|to| bytes(&key) >= to) => break 0,
                    0 if visit(bytes(&key), bytes(&value)) => operation = MDBX_NEXT,
                    MDBX_NOTFOUND => break 0,
                    code => break code,
                }
            };
            unsafe { mdbx_cursor_close(cursor) };
            check(code)
        })
    }

    fn facts(&self, _: &Properties) -> Facts {
        let mut flags = 0;
        unsafe { mdbx_env_get_flags(self.env, &mut flags) };
        // libmdbx sets MDBX_NOMETASYNC with both of the others.
        let sync = match (flags & MDBX_UTTERLY_NOSYNC, flags & MDBX_NOMETASYNC) {
            (MDBX_SYNC_DURABLE, 0) => "durable",
            (MDBX_SYNC_DURABLE, _) => "no-meta-sync",
            (MDBX_SAFE_NOSYNC, _) => "safe-no-sync",
            _ => "utterly-no-sync",
        };
        let info = self.info();
        let page = u64::from(info.mi_dxb_pagesize);
        let interval = self.option(MDBX_opt_sync_period) * 1000 / 65536;
        let version = unsafe {
            format!("{}.{}.{}", mdbx_version.major, mdbx_version.minor, mdbx_version.patch)
        };
        let longest = unsafe { mdbx_env_get_maxkeysize_ex(self.env, MDBX_DB_DEFAULTS) };
        embedded::facts([
            ("version", &version),
            ("sync", &sync),
            ("sync-interval-millis", &interval),
            ("read-ahead", &(flags & MDBX_NORDAHEAD == 0)),
            ("page-bytes", &page),
            ("least-file-bytes", &info.mi_geo.lower),
            ("map-bytes", &info.mi_geo.upper),
            ("dirty-bytes", &(self.option(MDBX_opt_txn_dp_limit) * page)),
            ("longest-key-bytes", &longest),
            ("write-through-pages", &self.option(MDBX_opt_writethrough_threshold)),
        ])
    }

    fn reports(&self) -> Facts {
        let info = self.info();
        embedded::facts([
            ("file-bytes", &info.mi_dxb_fsize),
            ("unsynced-bytes", &info.mi_unsync_volume),
            ("page-splits", &info.mi_pgop_stat.split),
            ("spilled-pages", &info.mi_pgop_stat.spill),
        ])
    }
}

fn open(properties: &Properties) -> Result<Mdbx> {
    let folder = CString::new(properties.text("dir")?)?;
    let words = [
        ("durable", MDBX_SYNC_DURABLE),
        ("no-meta-sync", MDBX_NOMETASYNC),
        ("safe-no-sync", MDBX_SAFE_NOSYNC),
        ("utterly-no-sync", MDBX_UTTERLY_NOSYNC),
    ];
    let mut flags = properties.choice("sync", &words)? | MDBX_NOSTICKYTHREADS;
    if !properties.flag("read-ahead")? {
        flags |= MDBX_NORDAHEAD;
    }
    let interval = properties.number("sync-interval-millis")? * 65536 / 1000;
    let least = properties.number("least-file-bytes")? as isize;
    let map = properties.number("map-bytes")? as isize;
    let dirty = properties.number("dirty-bytes")?;
    // Its notices would be a line for each growth of the file.
    unsafe { mdbx_setup_debug(MDBX_LOG_WARN, MDBX_DBG_DONTCHANGE, None) };
    let write_through = properties.number("write-through-pages")?;
    let mut env = null_mut();
    check(unsafe { mdbx_env_create(&mut env) })?;
    let mut mdbx = Mdbx { env, records: 0, idle: PerThread::default() };
    unsafe {
        check(mdbx_env_set_geometry(env, least, -1, map, -1, -1, -1))?;
        check(mdbx_env_set_option(env, MDBX_opt_max_readers, 4096))?;
        check(mdbx_env_open(env, folder.as_ptr(), flags, 0o644))?;
        let page = u64::from(mdbx.info().mi_dxb_pagesize);
        check(mdbx_env_set_option(env, MDBX_opt_txn_dp_limit, dirty / page))?;
        check(mdbx_env_set_option(env, MDBX_opt_sync_period, interval))?;
        check(mdbx_env_set_option(env, MDBX_opt_writethrough_threshold, write_through))?;
        let txn = mdbx.begin(MDBX_TXN_READWRITE)?;
        check(mdbx_dbi_open(txn, null(), MDBX_DB_DEFAULTS, &mut mdbx.records))?;
        check(mdbx_txn_commit_ex(txn, null_mut()))?;
    }
    Ok(mdbx)
}

export!(open);
