//! The text of a reply while it arrives: appended by one, read by many, never changed.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::scan::Scan;
use super::{Settings, view::View};

/// Bytes that one word holds.
const WORD: usize = 8;

/// Words of the first blocks.
const FIRST: usize = 64;

/// Blocks of one size, each size being twice the one before: nothing ever moves, and little is set
/// aside for what does not come.
const ALIKE: usize = 4;

/// Blocks for more bytes than any limit allows.
const BLOCKS: usize = 22 * ALIKE;

type Block = Box<[AtomicU64]>;

/// What has arrived of a reply, and what was read in it.
///
/// Appending takes no lock and reads nothing: the text is scanned when somebody first asks what
/// stands in it, each byte once.
pub(crate) struct Log {
    blocks: [OnceLock<Block>; BLOCKS],
    /// Bytes that have arrived.
    length: AtomicUsize,
    scan: Mutex<Scan>,
}

impl Log {
    fn new(settings: Settings) -> Self {
        Self {
            blocks: [const { OnceLock::new() }; BLOCKS],
            length: AtomicUsize::new(0),
            scan: Mutex::new(Scan::new(settings)),
        }
    }

    /// Bytes that have arrived.
    pub(crate) fn length(&self) -> usize {
        self.length.load(Ordering::Acquire)
    }

    /// Looks at the first `seen` bytes.
    pub(super) fn look<R>(&self, seen: usize, read: impl FnOnce(View<'_>) -> R) -> R {
        let mut scan = self.scan();
        scan.advance(self, seen);
        read(View::new(&scan, seen))
    }

    /// A scan holds nothing that a panic could leave half done and that is not read with care.
    fn scan(&self) -> MutexGuard<'_, Scan> {
        self.scan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn write(&self, word: usize, value: u64) {
        let (block, at) = locate(word);
        let slot = self.blocks.get(block);
        let words = slot.map(|slot| slot.get_or_init(|| empty(FIRST << (block / ALIKE))));
        if let Some(cell) = words.and_then(|words| words.get(at)) {
            cell.store(value, Ordering::Relaxed);
        }
    }

    /// The bytes from a place to another, behind what `into` holds.
    ///
    /// What lies below a length that was seen was written before it, and is never written again but
    /// with the same bytes.
    pub(super) fn copy(&self, from: usize, to: usize, into: &mut Vec<u8>) {
        for word in from / WORD..to.div_ceil(WORD) {
            let (block, at) = locate(word);
            let words = self.blocks.get(block).and_then(OnceLock::get);
            let cell = words.and_then(|words| words.get(at));
            let bytes = cell
                .map_or(0, |cell| cell.load(Ordering::Relaxed))
                .to_le_bytes();
            let start = from.saturating_sub(word * WORD);
            let end = WORD.min(to - word * WORD);
            into.extend_from_slice(bytes.get(start..end).unwrap_or_default());
        }
    }
}

fn empty(words: usize) -> Block {
    std::iter::repeat_with(AtomicU64::default)
        .take(words)
        .collect()
}

/// The block that holds a word, and its place in there.
#[inline]
const fn locate(word: usize) -> (usize, usize) {
    let all_alike = FIRST * ALIKE;
    let size = (word / all_alike + 1).ilog2() as usize;
    let within = word - all_alike * ((1 << size) - 1);
    let words = FIRST << size;
    (
        size * ALIKE + (within >> words.trailing_zeros()),
        within & (words - 1),
    )
}

/// The one who appends.
pub(crate) struct Writer {
    log: Arc<Log>,
    length: usize,
    /// The word that is not full yet.
    word: u64,
    /// Bytes that may arrive; what comes later is not looked at.
    left: usize,
}

impl Writer {
    pub(crate) fn new(settings: Settings) -> Self {
        let left = settings.limits.bytes.min(u32::MAX as usize);
        Self {
            log: Arc::new(Log::new(settings)),
            length: 0,
            word: 0,
            left,
        }
    }

    pub(crate) fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// Bytes that were appended.
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    /// Appends the next piece.
    #[inline]
    pub(crate) fn push(&mut self, piece: &str) {
        if piece.len() > self.left {
            self.left = 0;
            return;
        }
        self.left -= piece.len();
        let mut bytes = piece.as_bytes();
        while !bytes.is_empty() {
            let filled = self.length % WORD;
            let (now, later) = bytes.split_at(bytes.len().min(WORD - filled));
            self.word |= little_endian(now) << (8 * filled);
            self.log.write(self.length / WORD, self.word);
            self.length += now.len();
            if filled + now.len() == WORD {
                self.word = 0;
            }
            bytes = later;
        }
        self.log.length.store(self.length, Ordering::Release);
    }
}

/// At most eight bytes as a number.
#[inline]
fn little_endian(bytes: &[u8]) -> u64 {
    if let Some(whole) = bytes.first_chunk() {
        return u64::from_le_bytes(*whole);
    }
    let wide = |half: &[u8; 4]| u64::from(u32::from_le_bytes(*half));
    let (low, rest, shift) = match bytes.split_first_chunk() {
        Some((half, rest)) => (wide(half), rest, 32),
        None => (0, bytes, 0),
    };
    let high = rest
        .iter()
        .rev()
        .fold(0, |word, byte| (word << 8) | u64::from(*byte));
    low | (high << shift)
}
