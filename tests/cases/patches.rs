//! Cases of repair by patch.

use typed_extract::testing::Script;
use typed_extract::{ErrorKind, Repair, extract_value};

use super::data::one;

/// The case speaks of JSON Patch; the same patch is run in the form that is asked for as well.
#[tokio::test]
async fn a_patch_that_cannot_be_applied_is_a_failed_attempt_with_its_place() {
    let case = one("D15");
    let written = |at: usize| case.replies[at].as_str().expect("a text").to_owned();
    for patch in [written(1), r#"{"/person/age": 40}"#.to_owned()] {
        let model = Script::new([written(0), patch]);
        let error = extract_value(case.schema.clone().expect("a schema"))
            .unwrap()
            .model(&model)
            .document("Ida Holm is 40")
            .repair(Repair::Patch)
            .attempts(case.config.max_attempts.expect("a count"))
            .run()
            .await
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Rejected);
        assert_eq!(Some(model.calls()), case.expected.calls);
        assert_eq!(Some(error.record().attempts().len()), case.expected.calls);
        let failures = error.failures();
        assert!(failures[0].code().as_str().starts_with("repair.patch."));
        assert_eq!(failures[0].path().pointer(), "/person/age");
        // What was wrong before still stands.
        let last = failures.last().expect("a failure");
        assert_eq!(last.path().pointer(), "/age");
    }
}
