//! Where a value stands: segments, printed for people or as a JSON Pointer.

mod pair;
mod parse;

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// One step of a [`FieldPath`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Segment {
    /// The member of an object with this wire name.
    Key(Cow<'static, str>),
    /// The element of an array at this place, from 0.
    Index(usize),
}

/// The place of a value in a reply, in wire names.
///
/// It prints as people write it (`lines[2].amount`; the root prints as
/// `(root)`) and gives a JSON Pointer ([RFC 6901]) for programs.
///
/// ```
/// use typed_extract::FieldPath;
///
/// let path = FieldPath::root().key("lines").index(2).key("amount");
/// assert_eq!(path.to_string(), "lines[2].amount");
/// assert_eq!(path.pointer(), "/lines/2/amount");
/// assert_eq!(FieldPath::root().pointer(), "");
/// ```
///
/// [RFC 6901]: https://www.rfc-editor.org/rfc/rfc6901
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FieldPath(Vec<Segment>);

/// Stands for a key that the schema does not name.
const ANY_KEY: &str = "*";

impl FieldPath {
    /// The place of the whole value.
    pub fn root() -> Self {
        Self::default()
    }

    /// This place, then the member named `name`.
    #[must_use]
    pub fn key(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.0.push(Segment::Key(name.into()));
        self
    }

    /// This place, then the element at `index`, from 0.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.0.push(Segment::Index(index));
        self
    }

    /// The steps from the root.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// Whether this is the place of the whole value.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `other` is this place or lies below it.
    pub fn contains(&self, other: &FieldPath) -> bool {
        other.0.starts_with(&self.0)
    }

    /// The JSON Pointer of this place ([RFC 6901]); empty for the root.
    ///
    /// [RFC 6901]: https://www.rfc-editor.org/rfc/rfc6901
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        for segment in &self.0 {
            pointer.push('/');
            match segment {
                Segment::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Segment::Index(index) => {
                    let _ = write!(pointer, "{index}");
                }
            }
        }
        pointer
    }

    /// How much memory its keys take.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |segment: &Segment| match segment {
            Segment::Key(key) => key.len(),
            Segment::Index(_) => 0,
        };
        self.0.iter().map(bytes).sum()
    }

    /// The same place with `*` for each key that is not named.
    pub(crate) fn masked(&self, is_named: impl Fn(&str) -> bool) -> FieldPath {
        let masked = self.0.iter().map(|step| match step {
            Segment::Key(key) if !is_named(key) => Segment::Key(ANY_KEY.into()),
            known => known.clone(),
        });
        masked.collect()
    }

    /// `rest` seen from this place.
    pub(crate) fn join(&self, rest: &FieldPath) -> FieldPath {
        FieldPath(self.0.iter().chain(&rest.0).cloned().collect())
    }
}

impl FromIterator<Segment> for FieldPath {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        Self(segments.into_iter().collect())
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("(root)");
        }
        for (place, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if is_word(key) => {
                    f.write_str(if place == 0 { "" } else { "." })?;
                    f.write_str(key)?;
                }
                Segment::Key(key) => write!(f, "[{:?}]", key.as_ref())?,
            }
        }
        Ok(())
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty()
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}

/// A place on the way down, linked through the stack: it costs nothing until a
/// failure asks for its [`FieldPath`].
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> At<'a> {
    pub(crate) const ROOT: At<'static> = At {
        parent: None,
        step: Step::Root,
    };

    #[doc(hidden)]
    #[must_use]
    pub const fn key<'b>(&'b self, name: &'b str) -> At<'b>
    where
        'a: 'b,
    {
        At {
            parent: Some(self),
            step: Step::Key(name),
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn index<'b>(&'b self, index: usize) -> At<'b>
    where
        'a: 'b,
    {
        At {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    pub(crate) fn to_path(self) -> FieldPath {
        let mut segments = Vec::new();
        let mut here = Some(&self);
        while let Some(at) = here {
            match at.step {
                Step::Root => {}
                Step::Key(key) => segments.push(Segment::Key(Cow::Owned(key.to_owned()))),
                Step::Index(index) => segments.push(Segment::Index(index)),
            }
            here = at.parent;
        }
        segments.reverse();
        FieldPath(segments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_keys_are_quoted_for_people_and_escaped_for_programs() {
        let path = FieldPath::root().key("a.b").key("c/d~e").index(0);
        assert_eq!(path.to_string(), r#"["a.b"]["c/d~e"][0]"#);
        assert_eq!(path.pointer(), "/a.b/c~1d~0e/0");
        assert_eq!(FieldPath::root().to_string(), "(root)");
    }

    #[test]
    fn a_place_on_the_stack_becomes_the_same_path() {
        let lines = At::ROOT.key("lines");
        let third = lines.index(2);
        assert_eq!(
            third.key("amount").to_path(),
            FieldPath::root().key("lines").index(2).key("amount")
        );
    }
}
