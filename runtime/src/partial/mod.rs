//! A reply that is still arriving, read as far as it stands.
//!
//! Pure and synchronous. A [`Writer`] appends pieces to a [`Log`]; a [`Partial`] is a length of it,
//! so that one is taken for nothing and shows the same for ever. What is shown only grows: the scan
//! takes in no more than what no further text can change, and ends for good where the text is not
//! what the flow would take. Whether the reply is right is not decided here.

mod lead;
mod log;
mod node;
mod progress;
mod scan;
mod text;
mod view;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) use self::log::{Log, Writer};
use self::node::Tag;
pub use self::progress::Progress;
use self::view::{Place, View};
use crate::failure::Failure;
use crate::json::{Limits, Tape};
use crate::node::bind_failure;
use crate::normalization::Normalize;
use crate::path::FieldPath;
use crate::schema::Schema;

/// What the scan must know of the flow that will judge.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) normalize: Normalize,
    pub(crate) limits: Limits,
    /// Whether the value travels in an object with one key.
    pub(crate) wrapped: bool,
    /// Top-level lists that may come as one string, which is split at the end.
    pub(crate) string_lists: Arc<[Box<str>]>,
}

impl Settings {
    pub(crate) fn new(schema: &Schema, keep: &[&str], normalize: Normalize) -> Self {
        let lists = schema.string_lists.iter();
        let split = lists.filter(|list| normalize.splits_strings() && !keep.contains(&&***list));
        Self {
            normalize,
            limits: Limits::default(),
            wrapped: schema.wrapped,
            string_lists: split.cloned().collect(),
        }
    }
}

/// What has arrived so far of a reply that should become a `T`: for showing progress, **not data**.
///
/// Nothing here has been checked: no schema, no rule, no quote. Lengths and other limits apply at
/// the end, to the whole; a repair may change everything. A `T` is never given; it comes from
/// [`Event::Done`](crate::Event::Done) alone.
///
/// What is shown only grows. A string grows by whole characters, an escape or half of a surrogate
/// pair waiting until it is whole; numbers, `true`, `false` and `null` appear when what ends them
/// has arrived; a key appears with its value. A fence or a reasoning block before the value and
/// text after it are no part of it. Where the text stops being what the flow would take (broken
/// JSON, a key twice, too deep) growth ends without an error: the judgement at the end says what is
/// wrong. Prose before the value shows nothing, even if
/// [`surrounding_prose`](Normalize::surrounding_prose) takes it at the end, and nor does a string
/// that may yet be split into the list it was declared to be.
///
/// Taking and cloning one costs a reference count; it shows the same for ever, and holds the whole
/// text in memory. The text is read when something is first asked of it. `Debug` prints its length
/// only.
///
/// ```
/// use serde::Deserialize;
/// use typed_extract::testing::PartialReply;
/// use typed_extract::stream::Progress;
/// use typed_extract::{Extract, Partial};
///
/// #[derive(Deserialize, Extract)]
/// struct Invoice {
///     vendor: String,
///     lines: Vec<Line>,
///     note: Option<String>,
/// }
///
/// #[derive(Debug, PartialEq, Deserialize, Extract)]
/// struct Line {
///     label: String,
///     cents: u32,
/// }
///
/// let mut reply = PartialReply::<Invoice>::new()?;
/// reply.push(r#"{"vendor": "Lumen", "lines": [{"label": "Hinge", "cents": 450}, {"label": "Nu"#);
/// let partial: Partial<Invoice> = reply.partial();
///
/// assert_eq!(partial.get("vendor").as_str(), Some("Lumen"));
/// assert_eq!(partial.get("lines"), Progress::Array { len: 2, closed: false });
/// assert_eq!(partial.get("lines[1].label").as_str(), Some("Nu"));
/// assert!(!partial.get("lines[1].label").is_closed());
/// assert!(partial.get("note").is_absent(), "not null: it has not arrived");
///
/// let first = Line { label: "Hinge".into(), cents: 450 };
/// assert_eq!(partial.read::<Line>("lines[0]").unwrap().unwrap(), first);
/// assert!(partial.read::<Line>("lines[1]").is_none(), "it is not closed");
/// # Ok::<(), typed_extract::Error>(())
/// ```
pub struct Partial<T> {
    log: Arc<Log>,
    seen: usize,
    target: PhantomData<fn() -> T>,
}

impl<T> Partial<T> {
    pub(crate) fn new(log: &Arc<Log>, seen: usize) -> Self {
        Self {
            log: Arc::clone(log),
            seen,
            target: PhantomData,
        }
    }

    /// How many bytes of text this shows, what stands around the value included.
    pub fn bytes(&self) -> usize {
        self.seen
    }

    /// What has arrived of the value at a place: a path in wire names such as `lines[0].amount`, or
    /// a [`FieldPath`]. The empty path is the whole value; of a wrapped root such as a `Vec`, paths begin
    /// at the value itself (`[0].amount`).
    ///
    /// A string is copied; everything else costs the way to it. A key that the type does not know is
    /// [`Absent`](Progress::Absent) like one that has not arrived.
    pub fn get(&self, path: impl Into<FieldPath>) -> Progress {
        self.look(&path.into(), progress)
            .unwrap_or(Progress::Absent)
    }

    /// A part of the value, bound to a type of its own once it is closed; nothing before.
    ///
    /// It is bound as the flow binds it, numbers included. The part has met no schema and no rule. The whole value is never read so, closed or not.
    ///
    /// # Errors
    ///
    /// What keeps the part from being a `U`.
    pub fn read<U: DeserializeOwned>(
        &self,
        path: impl Into<FieldPath>,
    ) -> Option<Result<U, Failure>> {
        let path = path.into();
        if path.is_root() {
            return None;
        }
        let closed =
            |view: View<'_>, place| view.is_closed(place).then(|| view.raw(place).to_owned());
        let text = self.look(&path, closed).flatten()?;
        // A closed part of what was scanned is sound JSON.
        let tape = Tape::parse(&text, Limits::default()).ok()?;
        let root = tape.root();
        Some(
            root.bind()
                .map_err(|error| bind_failure(root, &path, &error)),
        )
    }

    /// The whole value so far as it would be shown; nothing where none has begun.
    ///
    /// Numbers beyond 64 bits are rounded here; [`read`](Self::read) keeps every digit. It costs
    /// what has arrived each time.
    ///
    /// ```
    /// use serde_json::json;
    /// use typed_extract::testing::PartialReply;
    /// # use serde::Deserialize;
    /// # use typed_extract::Extract;
    /// # #[derive(Deserialize, Extract)]
    /// # struct Place { city: String, zip: u32 }
    ///
    /// let mut reply = PartialReply::<Place>::new()?;
    /// assert_eq!(reply.partial().to_value(), None);
    /// reply.push(r#"{"city": "Troms\u00"#);
    /// assert_eq!(reply.partial().to_value(), Some(json!({"city": "Troms"})));
    /// reply.push(r#"f8", "zip": 90"#);
    /// assert_eq!(reply.partial().to_value(), Some(json!({"city": "Tromsø"})));
    /// # Ok::<(), typed_extract::Error>(())
    /// ```
    pub fn to_value(&self) -> Option<Value> {
        self.value_at(FieldPath::root())
    }

    /// The same for the value at a place.
    pub fn value_at(&self, path: impl Into<FieldPath>) -> Option<Value> {
        let shown = |view: View<'_>, place| {
            let hidden: Vec<String> = view.unsettled(place).into_iter().map(Into::into).collect();
            (view.completed(place), hidden)
        };
        let (text, hidden) = self.look(&path.into(), shown)?;
        let tape = Tape::parse(&text, Limits::default()).ok()?;
        let mut value = tape.root().approximate();
        if let Some(members) = value.as_object_mut() {
            members.retain(|key, _| !hidden.contains(key));
        }
        Some(value)
    }

    fn look<R>(&self, path: &FieldPath, read: impl FnOnce(View<'_>, Place) -> R) -> Option<R> {
        self.log.look(self.seen, |view| {
            let place = view.find(path)?;
            Some(read(view, place))
        })
    }
}

fn progress(view: View<'_>, place: Place) -> Progress {
    let closed = view.is_closed(place);
    match place.tag() {
        Tag::Null => Progress::Null,
        Tag::Bool => Progress::Bool(view.raw(place) == "true"),
        Tag::Number => Progress::Number(view.raw(place).to_owned()),
        Tag::String => Progress::Text {
            text: view.string(place).into_owned(),
            closed,
        },
        Tag::Array => Progress::Array {
            len: view.length(place),
            closed,
        },
        Tag::Object => Progress::Object {
            len: view.length(place),
            closed,
        },
    }
}

impl<T> Clone for Partial<T> {
    fn clone(&self) -> Self {
        Self::new(&self.log, self.seen)
    }
}

impl<T> fmt::Debug for Partial<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partial")
            .field("bytes", &self.seen)
            .finish_non_exhaustive()
    }
}
