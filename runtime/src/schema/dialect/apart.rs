//! Branches of one choice that would take the same form on the wire: reading a reply back could not
//! tell which was meant, so the schema is refused before a call.

use super::Unsupported;
use super::parts::{KEY, VALUE, place_name};
use super::rewrite::{Here, Made, Rewriter};
use super::shape::{ArrayShape, Id, Members, ObjectShape, Shape, Shapes};

/// How many pairs of branches of one choice are compared.
const PAIRS: usize = 4_096;

impl Rewriter<'_> {
    /// Looks at every choice once all that it refers to is known.
    pub(super) fn told_apart(&self) -> Made<()> {
        self.choices
            .iter()
            .try_for_each(|(here, branches)| self.branches_apart(here, branches))
    }

    fn branches_apart(&self, here: &Here, branches: &[Id]) -> Made<()> {
        let mut leaves = Vec::new();
        for branch in branches {
            leaves.push(self.shapes.leaves(*branch));
        }
        let mut compared = 0;
        for (at, one) in leaves.iter().enumerate() {
            for other in leaves.iter().skip(at + 1) {
                compared += one.len().saturating_mul(other.len());
                if compared > PAIRS {
                    return Err(self.alike(here, "more branches than can be told apart"));
                }
                let mut pairs = one
                    .iter()
                    .flat_map(|one| other.iter().map(move |two| (one, two)));
                if pairs.any(|(one, two)| {
                    hides(&self.shapes, one, two) || hides(&self.shapes, two, one)
                }) {
                    let message = "two branches that take the same form on the wire";
                    return Err(self.alike(here, message));
                }
            }
        }
        Ok(())
    }

    fn alike(&self, here: &Here, message: &str) -> Unsupported {
        self.refuse(here, "anyOf", message)
    }
}

/// Whether what `one` becomes on the wire is something that `other` takes as it is.
fn hides(shapes: &Shapes, one: &Shape, other: &Shape) -> bool {
    if let (Some(ArrayShape::Pairs { .. }), Some(ArrayShape::Items(items))) =
        (&one.array, &other.array)
    {
        let is_pair = |shape: &&Shape| members_are(shape, &[KEY.to_owned(), VALUE.to_owned()]);
        return shapes.leaves(*items).iter().any(is_pair);
    }
    if let Some(ObjectShape::Tuple(places)) = &one.object {
        let names: Vec<String> = (0..places.len()).map(place_name).collect();
        return members_are(other, &names);
    }
    false
}

/// Whether an object with exactly these keys may be of a shape.
fn members_are(shape: &Shape, names: &[String]) -> bool {
    let Some(ObjectShape::Members(members)) = &shape.object else {
        return false;
    };
    names.iter().all(|name| members.get(name).is_some()) && required(members) <= names.len()
}

fn required(members: &Members) -> usize {
    members.all.iter().filter(|member| member.required).count()
}
