//! A path from its two printed forms, which together say it exactly.

use super::{FieldPath, Segment};

impl FieldPath {
    /// The path with this JSON Pointer that prints as `shown`; the pointer has every
    /// key as it is, and the printed form says which steps are indices.
    pub(crate) fn from_pair(pointer: &str, shown: &str) -> Option<Self> {
        let mut path = Self::root();
        if pointer.is_empty() {
            return (shown == path.to_string()).then_some(path);
        }
        for token in pointer.strip_prefix('/')?.split('/') {
            let index = token.parse().ok().map(Segment::Index);
            let key = Segment::Key(token.replace("~1", "/").replace("~0", "~").into());
            let fits = |step: &Segment| {
                let after = path.0.iter().chain([step]).cloned().collect::<Self>();
                let rest = shown.strip_prefix(&after.to_string())?;
                (rest.is_empty() || rest.starts_with(['.', '['])).then_some(after)
            };
            path = index.as_ref().and_then(fits).or_else(|| fits(&key))?;
        }
        (path.to_string() == shown && path.pointer() == pointer).then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_from_what_it_printed() {
        let odd = [
            "", "0", "a.b", "a/b~c", "[0]", "(root)", "\u{7}", "a\"b", "é", "~1",
        ];
        let keys = odd.map(|key| Segment::Key(key.into()));
        let steps: Vec<Segment> = keys.into_iter().chain([Segment::Index(0)]).collect();
        let mut paths = vec![FieldPath::root()];
        for one in &steps {
            for other in &steps {
                paths.push([one, other].into_iter().cloned().collect());
                paths.push([other].into_iter().cloned().collect());
            }
        }
        for path in paths {
            let back = FieldPath::from_pair(&path.pointer(), &path.to_string());
            assert_eq!(back, Some(path));
        }
    }

    #[test]
    fn two_forms_that_differ_are_no_path() {
        for (pointer, shown) in [
            ("/a", "b"),
            ("", "a"),
            ("/a", "(root)"),
            ("a", "a"),
            ("/0", "[1]"),
        ] {
            assert_eq!(FieldPath::from_pair(pointer, shown), None);
        }
    }
}
