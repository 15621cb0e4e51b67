//! Expanded code meets any names.

/// Types that are called as those of the prelude.
mod shadowed {
    #![deny(warnings, missing_docs, unreachable_pub, unused_qualifications)]

    use serde::Deserialize;
    use typed_extract::Extract;

    pub(super) type Result = u8;
    pub(super) type Vec = u16;

    #[derive(Debug, Deserialize, Extract)]
    pub(super) struct Option {
        pub(super) some: u8,
    }

    #[derive(Debug, Deserialize, Extract)]
    pub(super) struct String {
        pub(super) text: std::string::String,
    }

    #[derive(Debug, Deserialize, Extract)]
    #[extract(rule(small(option, result), "small", check = option.some < *result))]
    pub(super) struct Holder {
        #[validate(nested)]
        pub(super) option: Option,
        pub(super) string: String,
        pub(super) result: Result,
        pub(super) vec: Vec,
        pub(super) fields: HolderFields,
    }

    /// Called as the derived view would be.
    #[derive(Debug, Deserialize, Extract)]
    pub(super) struct HolderFields {
        pub(super) r#type: u8,
    }
}

use serde::Deserialize;
use serde_json::json;
use typed_extract::{Extract, rules};

use crate::support::walked;

#[test]
fn names_of_the_prelude() {
    let reply = json!({
        "option": {"some": 3}, "string": {"text": "t"}, "result": 2, "vec": 1, "fields": {"type": 1},
    });
    assert_eq!(walked::<shadowed::Holder>(&reply), ["option: small"]);
}

#[derive(Debug, Deserialize, Extract)]
#[extract(rule(r#match(r#type, r#fn), "type is fn", check = r#type == r#fn))]
struct Raw {
    r#type: u8,
    r#fn: u8,
    __f0: u8,
}

#[rules]
impl Raw {
    /// type is small
    fn r#loop(r#type: &u8, __f0: &u8) -> bool {
        r#type < __f0
    }
}

#[test]
fn raw_identifiers_lose_their_prefix() {
    let found = walked::<Raw>(&json!({"type": 9, "fn": 1, "__f0": 1}));
    assert_eq!(found, ["type: match", "type: loop"]);
    assert_eq!(Raw::rules()[0].fields(), ["type", "fn"]);
}

macro_rules! generated {
    ($name:ident, $field:ident: $type:ty, $limit:expr) => {
        #[derive(Debug, Deserialize, Extract)]
        #[extract(rule(below($field), "below the limit", check = *$field < $limit))]
        struct $name {
            #[validate(range(min = 2))]
            $field: $type,
            other: Option<$type>,
        }

        #[rules]
        impl $name {
            /// The other is less.
            fn less(other: &Option<$type>, $field: &$type) -> bool {
                other.is_none_or(|other| other < *$field)
            }
        }
    };
}

generated!(Generated, amount: u32, 1);

#[test]
fn types_written_by_macro_rules() {
    let found = walked::<Generated>(&json!({"amount": 1, "other": 1}));
    assert_eq!(found, ["amount: below", "other: less", "amount: range"]);
}

/// A crate that has ours under another name.
mod renamed {
    pub(crate) mod inner {
        pub(crate) use typed_extract::*;
    }
}

#[derive(Debug, Deserialize, Extract)]
#[extract(crate = crate::hygiene::renamed::inner)]
#[extract(rule(small(n), "small", check = *n < 1))]
struct Elsewhere {
    n: u8,
}

#[rules(crate = crate::hygiene::renamed::inner)]
impl Elsewhere {
    /// Even.
    fn even(n: &u8) -> bool {
        n.is_multiple_of(2)
    }
}

#[test]
fn the_crate_may_be_called_otherwise() {
    assert_eq!(
        walked::<Elsewhere>(&json!({"n": 1})),
        ["n: small", "n: even"]
    );
}

mod outer {
    use super::{Deserialize, Extract};

    #[derive(Debug, Deserialize, Extract)]
    pub(super) struct Apart {
        n: u8,
    }

    /// The block in a module below still counts.
    mod below {
        use typed_extract::rules;

        #[rules]
        impl super::Apart {
            /// Small.
            fn small(n: &u8) -> bool {
                *n < 1
            }
        }
    }
}

#[test]
fn a_block_in_another_module_counts() {
    assert_eq!(walked::<outer::Apart>(&json!({"n": 1})), ["n: small"]);
}

#[test]
fn types_inside_functions() {
    #[derive(Debug, Deserialize, Extract)]
    struct Local {
        n: u8,
    }

    #[rules]
    impl Local {
        /// Small.
        fn small(n: &u8) -> bool {
            *n < 1
        }

        /// Only in some builds.
        #[cfg(any())]
        fn never(n: &u8) -> bool {
            nothing(n)
        }
    }

    assert_eq!(walked::<Local>(&json!({"n": 1})), ["n: small"]);
    assert_eq!(Local::rules().len(), 1);
}
