//! What a run may spend, and what it says it spent.

use std::future::pending;
use std::sync::Mutex;
use std::task::Poll;
use std::time::Duration;

use proptest::prelude::*;
use serde::Deserialize;
use typed_extract::budget::{Price, Prices, SharedBudget};
use typed_extract::model::{FormatCapability, ModelErrorKind};
use typed_extract::record::Money;
use typed_extract::testing::{Script, Scripted};
use typed_extract::{
    Budget, Error, ErrorKind, Extract, ModelError, Reply, Usage, extract, model_fn,
};

use crate::support::{Count, RIGHT, WRONG};

fn money(text: &str) -> Money {
    text.parse().unwrap()
}

/// A unit of money for a million tokens in, ten for a million out.
fn prices() -> Prices {
    Prices::new("USD").with("script", Price::new(money("1"), money("10")))
}

async fn run(model: &Script, budget: Budget) -> Result<Count, Error> {
    let run = extract::<Count>().model(model).document("d");
    run.budget(budget).await
}

#[tokio::test]
async fn a_first_request_that_cannot_fit_is_not_sent() {
    let document = "d ".repeat(4000);
    for (limit, sent) in [(999, 0), (1_000, 0), (8_000, 1)] {
        let model = Script::new([RIGHT]);
        let run = extract::<Count>().model(&model).document(document.as_str());
        let run = run.budget(Budget::default().tokens(limit)).await;
        assert_eq!(model.calls(), sent, "{limit}");
        assert_eq!(
            run.err().map(|error| error.kind()),
            (sent == 0).then_some(ErrorKind::Budget)
        );
    }
}

#[tokio::test]
async fn the_output_limit_counts_before_the_first_send() {
    for (cap, sent) in [(500, 1), (2_000, 0)] {
        let model = Script::new([RIGHT]);
        let run = extract::<Count>().model(&model).document("d");
        let run = run
            .max_output_tokens(cap)
            .budget(Budget::default().tokens(1_500));
        assert_eq!(run.await.is_ok(), sent == 1);
        assert_eq!(model.calls(), sent);
    }
}

#[tokio::test]
async fn what_is_not_reported_is_estimated_and_marked() {
    let silent = Script::new([RIGHT]);
    let done = extract::<Count>().model(&silent).document("d");
    let done = done.run().await.unwrap();
    let spent = done.record().cost();
    let prompt = silent.requests()[0].prompt().len() as u64;
    assert!(spent.is_estimated());
    assert_eq!(spent.input_tokens(), prompt.div_ceil(4));
    assert_eq!(spent.output_tokens(), (RIGHT.len() as u64).div_ceil(4));
    assert_eq!(
        done.record().usage().total_tokens(),
        None,
        "nothing was reported"
    );
    assert_eq!((spent.money(), done.record().currency()), (None, None));

    let half = Reply::new(RIGHT).with_usage(Usage::default().with_output(7));
    let half = Script::new([half]);
    let done = extract::<Count>().model(&half).document("d");
    let spent = done.run().await.unwrap().record().cost();
    assert!(spent.is_estimated());
    assert_eq!(
        (spent.input_tokens(), spent.output_tokens()),
        (prompt.div_ceil(4), 7)
    );

    let told = Script::new([Reply::new(RIGHT).with_usage(Usage::new(90, 7))]);
    let done = extract::<Count>().model(&told).document("d");
    let spent = done.run().await.unwrap().record().cost();
    assert!(!spent.is_estimated());
    assert_eq!(spent.tokens(), 97);
}

#[tokio::test]
async fn a_lost_answer_is_charged_only_if_it_may_have_been_billed() {
    let lost =
        |billed| ModelError::new(ModelErrorKind::StreamCut, "lost").with_maybe_billed(billed);
    for billed in [false, true] {
        let model = Script::new([Scripted::from(lost(billed))]);
        let run = extract::<Count>()
            .model(&model)
            .document("d")
            .max_output_tokens(300);
        let error = run.await.unwrap_err();
        let spent = error.record().cost();
        assert_eq!(
            (spent.is_estimated(), spent.tokens() > 300),
            (billed, billed)
        );
    }
    let told = lost(true).with_usage(Usage::new(40, 2));
    let model = Script::new([Scripted::from(told)]);
    let error = run(&model, Budget::default()).await.unwrap_err();
    assert_eq!(error.record().cost().tokens(), 42);
    assert!(!error.record().cost().is_estimated());
}

#[tokio::test]
async fn a_model_that_was_passed_over_is_charged_too() {
    let lost = ModelError::new(ModelErrorKind::StreamCut, "lost").with_usage(Usage::new(1_000, 0));
    let first = Script::new([Scripted::from(lost)]);
    let second = Script::new([Reply::new(RIGHT).with_usage(Usage::new(500, 100))]);
    let done = extract::<Count>()
        .model(&first)
        .fallback(&second)
        .document("d");
    let done = done
        .budget(Budget::default().prices(prices()))
        .run()
        .await
        .unwrap();
    let spent = done.record().cost();
    assert_eq!(spent.tokens(), 1_600);
    assert_eq!(spent.money(), Some(money("0.0025")));
    assert_eq!(done.record().skipped_models()[0].cost().tokens(), 1_000);
}

#[tokio::test]
async fn money_is_counted_by_what_each_class_of_tokens_costs() {
    let price = Price::new(money("2"), money("10"))
        .with_cached_input(money("0.2"))
        .with_cache_write(money("2.5"));
    let cost = async |usage: Usage| {
        let model = Script::new([Reply::new(RIGHT).with_usage(usage)]);
        let budget = Budget::default().prices(Prices::new("USD").with("script", price));
        let run = extract::<Count>()
            .model(&model)
            .document("d")
            .budget(budget);
        let done = run.run().await.unwrap();
        assert_eq!(done.record().currency(), Some("USD"));
        done.record().cost().money().unwrap().to_string()
    };
    // 300 plain at 2, 600 read at 0.2, 100 written at 2.5, 50 out at 10, a million each.
    let known = Usage::new(1_000, 50)
        .with_cached_input(600)
        .with_cache_write(100)
        .with_reasoning(40);
    assert_eq!(cost(known).await, "0.00147");
    let none = Usage::new(1_000, 1)
        .with_cached_input(0)
        .with_cache_write(0);
    assert_eq!(cost(none).await, "0.00201");
    // All of it may have been written to a cache.
    assert_eq!(cost(Usage::new(1_000, 1)).await, "0.00251");
    // A part larger than the whole is the whole.
    let odd = Usage::new(1_000, 1)
        .with_cached_input(9_000)
        .with_cache_write(9_000);
    assert_eq!(cost(odd).await, "0.00021");
}

#[tokio::test]
async fn a_run_stops_before_it_passes_its_limit_of_money() {
    let wrong = || Reply::new(WRONG).with_usage(Usage::new(1_000, 100));
    for (limit, sent) in [("0.0001", 0), ("0.0039", 1), ("0.004", 2)] {
        let model = Script::new([wrong().into(), Scripted::from(RIGHT)]);
        let budget = Budget::default().money(money(limit), prices());
        let run = run(&model, budget).await;
        assert_eq!(model.calls(), sent, "{limit}");
        if let Err(error) = run {
            assert_eq!(error.kind(), ErrorKind::Budget);
            let spent = if sent == 0 {
                Money::ZERO
            } else {
                money("0.002")
            };
            assert_eq!(error.record().cost().money(), Some(spent));
            assert!(error.to_string().contains("USD"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_model_without_a_price_is_not_asked_where_money_is_limited() {
    let unpriced = Prices::new("USD").with("other", Price::new(money("1"), money("1")));
    let shared = SharedBudget::new().money(money("5"), unpriced.clone());
    for budget in [
        Budget::default().money(money("5"), unpriced.clone()),
        Budget::default().shared(&shared),
    ] {
        let model = Script::new([RIGHT]);
        let error = run(&model, budget).await.unwrap_err();
        assert_eq!((error.kind(), model.calls()), (ErrorKind::Budget, 0));
        assert!(error.to_string().contains("\"script\""), "{error}");
    }
    let model = Script::new([RIGHT]);
    run(&model, Budget::default().prices(unpriced))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_fallback_without_a_price_is_not_asked_either() {
    let first = Script::new([ModelError::new(ModelErrorKind::Overloaded, "busy")]);
    let second = model_fn("second", FormatCapability::Text, async |_| Ok(RIGHT.into()));
    let run = extract::<Count>()
        .model(&first)
        .fallback(&second)
        .document("d");
    let error = run
        .budget(Budget::default().money(money("5"), prices()))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Budget);
    assert!(error.to_string().contains("\"second\""), "{error}");
    assert_eq!(error.record().skipped_models().len(), 1);
}

#[derive(Debug, Deserialize, Extract)]
#[allow(dead_code)]
struct Person {
    name: String,
    age: u32,
}

/// F17: one deadline for the whole item, shrinking with every attempt.
#[tokio::test]
async fn a_repair_gets_what_is_left_of_the_deadline_and_no_more() {
    let deadlines = Mutex::new(Vec::new());
    let model = model_fn("slow", FormatCapability::Text, async |request| {
        let first = {
            let mut deadlines = deadlines.lock().unwrap();
            deadlines.push(request.deadline());
            deadlines.len() == 1
        };
        if !first {
            pending::<()>().await;
        }
        Ok(Reply::new(r#"{"name": "Ida", "age": "x"}"#).with_usage(Usage::new(50, 10)))
    });
    let error = extract::<Person>()
        .model(&model)
        .budget(Budget::default().deadline(Duration::from_millis(40)))
        .document("Ida is 40")
        .await
        .unwrap_err();
    let deadlines = deadlines.lock().unwrap();
    assert_eq!((error.kind(), deadlines.len()), (ErrorKind::Deadline, 2));
    assert!(deadlines[0].is_some() && deadlines[0] == deadlines[1]);
    let [first, second] = error.record().attempts() else {
        panic!("two attempts were made")
    };
    assert_eq!(first.failures()[0].path().pointer(), "/age");
    assert_eq!(first.cost().tokens(), 60);
    assert!(second.error().unwrap().maybe_billed());
    assert!(second.cost().is_estimated() && second.cost().tokens() > 0);
    assert_eq!(error.failures()[0].path().pointer(), "/age");
    assert!(error.record().cost().elapsed() >= Duration::from_millis(40));
}

#[test]
fn runs_on_many_threads_cannot_pass_what_they_share() {
    let all = SharedBudget::new()
        .tokens(20_000)
        .money(money("0.02"), prices());
    let used = Mutex::new((0, 0));
    let model = model_fn("script", FormatCapability::Text, async |request| {
        let input = request.prompt().len().div_ceil(4) as u64;
        let output = u64::from(request.max_output_tokens().unwrap());
        tokio::task::yield_now().await;
        let mut used = used.lock().unwrap();
        *used = (used.0 + input + output, used.1 + input + 10 * output);
        Ok(Reply::new(RIGHT).with_usage(Usage::new(input, output)))
    });
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .build()
                    .unwrap();
                for _ in 0..20 {
                    let budget = Budget::default().shared(&all);
                    let run = extract::<Count>().model(&model).max_output_tokens(90);
                    let done = runtime.block_on(run.document("d").budget(budget).run());
                    if let Err(error) = done {
                        assert_eq!(error.kind(), ErrorKind::Budget);
                    }
                }
            });
        }
    });
    let (tokens, micros) = *used.lock().unwrap();
    assert!(tokens > 0 && tokens <= 20_000, "{tokens}");
    assert_eq!(all.spent_tokens(), tokens);
    assert!(all.spent_money() <= money("0.02"));
    assert_eq!(all.spent_money(), Money::from_nanos(micros * 1_000));
}

#[tokio::test]
async fn a_run_that_is_dropped_under_way_leaves_its_reservation_spent() {
    let all = SharedBudget::new().tokens(10_000);
    let silent = model_fn("silent", FormatCapability::Text, |_| pending());
    let run = extract::<Count>()
        .model(&silent)
        .max_output_tokens(400)
        .document("d");
    let run = run.budget(Budget::default().shared(&all)).into_future();
    assert!(tokio::time::timeout(Duration::ZERO, run).await.is_err());
    assert!(all.spent_tokens() > 400);
}

#[tokio::test]
async fn a_request_that_was_not_billed_gives_its_reservation_back() {
    let all = SharedBudget::new().tokens(10_000);
    let model = Script::new([ModelError::new(ModelErrorKind::Connect, "no route")]);
    run(&model, Budget::default().shared(&all))
        .await
        .unwrap_err();
    assert_eq!((model.calls(), all.spent_tokens()), (1, 0));
}

proptest! {
    #[test]
    fn an_amount_is_read_as_it_is_shown(nanos: u64) {
        let amount = Money::from_nanos(nanos);
        prop_assert_eq!(amount.to_string().parse::<Money>().unwrap(), amount);
        let text = serde_json::to_string(&amount).unwrap();
        prop_assert_eq!(serde_json::from_str::<Money>(&text).unwrap(), amount);
    }

    #[test]
    fn any_text_is_an_amount_or_an_error(text in "[0-9.eE+\\-, ]{0,24}") {
        if let Ok(amount) = text.parse::<Money>() {
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
            prop_assert_eq!(amount.to_string().parse::<Money>().unwrap(), amount);
        }
    }
}

#[test]
fn an_amount_has_nine_places_and_an_end() {
    for wrong in [
        "",
        ".",
        "1.",
        ".5",
        "1.0000000001",
        "+1",
        "18446744074",
        "1e3",
        "1_000",
        "∞",
    ] {
        assert!(wrong.parse::<Money>().is_err(), "{wrong}");
    }
    assert_eq!(money("0.000000001"), Money::from_nanos(1));
    assert_eq!(money("18446744073.709551615"), Money::from_nanos(u64::MAX));
    for wrong in ["2.5", "-1", "1e3", "null", "\"x\"", "18446744074"] {
        assert!(serde_json::from_str::<Money>(wrong).is_err(), "{wrong}");
    }
    assert_eq!(serde_json::from_str::<Money>("3").unwrap(), money("3"));
}

#[test]
fn a_price_list_refuses_what_it_does_not_know() {
    let unknown =
        r#"{"currency":"USD","per_million_tokens":{"m":{"input":"1","output":"2","images":"3"}}}"#;
    assert!(serde_json::from_str::<Prices>(unknown).is_err());
    let text = serde_json::to_string(&prices()).unwrap();
    assert_eq!(serde_json::from_str::<Prices>(&text).unwrap(), prices());
}

/// A model that uses all the output it is allowed; what it used stands in the counter.
fn greedy(used: &Mutex<u64>) -> impl typed_extract::Model + '_ {
    model_fn("script", FormatCapability::Text, async move |request| {
        let input = request.prompt().len().div_ceil(4) as u64;
        let output = u64::from(
            request
                .max_output_tokens()
                .expect("a budget implies a limit"),
        );
        tokio::task::yield_now().await;
        *used.lock().unwrap() += input + output;
        Ok(Reply::new(WRONG).with_usage(Usage::new(input, output)))
    })
}

/// What all of them come to, each polled in turn.
async fn together<F: Future>(runs: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut runs: Vec<_> = runs.map(Box::pin).collect();
    let mut done: Vec<Option<F::Output>> = runs.iter().map(|_| None).collect();
    std::future::poll_fn(|cx| {
        for (run, done) in runs.iter_mut().zip(&mut done) {
            if done.is_none()
                && let Poll::Ready(output) = run.as_mut().poll(cx)
            {
                *done = Some(output);
            }
        }
        if done.iter().all(Option::is_some) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
    done.into_iter().flatten().collect()
}

#[tokio::test]
async fn a_thousand_runs_at_once_stay_within_what_they_share_without_any_limit_set() {
    let used = Mutex::new(0);
    let model = greedy(&used);
    let all = SharedBudget::new().tokens(20_000);
    let runs = (0..1_000).map(|_| {
        let run = extract::<Count>().model(&model).document("d");
        run.budget(Budget::default().shared(&all)).into_future()
    });
    for error in together(runs).await {
        let kind = error.unwrap_err().kind();
        assert!(matches!(kind, ErrorKind::Budget | ErrorKind::Rejected));
    }
    let used = *used.lock().unwrap();
    assert!(used > 10_000 && used <= 20_000, "{used}");
    assert_eq!(all.spent_tokens(), used);
}

#[tokio::test]
async fn a_limit_of_money_caps_the_output_by_its_price() {
    let model = Script::new([RIGHT]);
    let budget = Budget::default().money(money("0.001"), prices());
    run(&model, budget).await.unwrap();
    let request = &model.requests()[0];
    let input = request.prompt().len().div_ceil(3) as u64;
    let cap = u64::from(request.max_output_tokens().unwrap());
    assert_eq!(cap, (1_000 - input) / 10);
}

#[tokio::test]
async fn a_budget_implies_a_limit_and_no_budget_none() {
    for (budget, cap) in [
        (Budget::default(), None),
        (Budget::default().tokens(10_000_000), Some(16_384)),
        (Budget::default().shared(&SharedBudget::new()), None),
    ] {
        let model = Script::new([RIGHT]);
        run(&model, budget).await.unwrap();
        assert_eq!(model.requests()[0].max_output_tokens(), cap);
    }
    let model = Script::new([RIGHT]);
    run(&model, Budget::default().tokens(1_000)).await.unwrap();
    let request = &model.requests()[0];
    let input = request.prompt().len().div_ceil(3);
    assert_eq!(request.max_output_tokens().unwrap() as usize, 1_000 - input);
}

#[tokio::test]
async fn a_repair_may_be_as_long_as_what_is_left_and_the_limit_that_was_set() {
    let wrong = Reply::new(WRONG).with_usage(Usage::new(200, 400));
    let model = Script::new([wrong, Reply::new(RIGHT)]);
    let run = extract::<Count>().model(&model).document("d");
    let run = run
        .max_output_tokens(700)
        .budget(Budget::default().tokens(1_300));
    run.await.unwrap();
    let caps = model.requests();
    let caps: Vec<u32> = caps
        .iter()
        .filter_map(typed_extract::Request::max_output_tokens)
        .collect();
    assert_eq!(caps[0], 700);
    assert!((400..=500).contains(&caps[1]), "{caps:?}");
}

#[tokio::test]
async fn no_tokens_for_a_text_that_came_are_taken_for_a_count_that_is_not_told() {
    for told in [Usage::ZERO, Usage::new(120, 0), Usage::new(0, 3)] {
        let model = Script::new([Reply::new(RIGHT).with_usage(told)]);
        let all = SharedBudget::new();
        let run = extract::<Count>().model(&model).document("d");
        let run = run.budget(Budget::default().shared(&all)).run();
        let spent = run.await.unwrap().record().cost();
        let prompt = (model.requests()[0].prompt().len() as u64).div_ceil(4);
        let or = |told: Option<u64>, guess| told.filter(|count| *count > 0).unwrap_or(guess);
        assert!(spent.is_estimated(), "{told:?}");
        assert_eq!(spent.input_tokens(), or(told.input_tokens(), prompt));
        assert_eq!(spent.output_tokens(), or(told.output_tokens(), 3));
        assert_eq!(all.spent_tokens(), spent.tokens());
    }
}

#[tokio::test]
async fn a_reply_that_was_cut_off_counts_as_all_that_it_might_use() {
    let cut = Reply::new("{").with_finish(typed_extract::model::FinishReason::Truncated);
    let model = Script::new([cut]);
    let run = extract::<Count>().model(&model).document("d");
    let error = run.max_output_tokens(300).await.unwrap_err();
    assert_eq!(error.record().cost().output_tokens(), 300);
    assert!(error.record().cost().is_estimated());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_runs_share_a_budget_it_is_never_passed(
        limit in 0_u64..30_000,
        own in prop::option::of(500_u64..4_000),
        cap in prop::option::of(1_u32..2_000),
        runs in 1_usize..60,
        patch: bool,
    ) {
        let used = Mutex::new(0);
        let model = greedy(&used);
        let all = SharedBudget::new().tokens(limit);
        let run = || {
            let mut budget = Budget::default().shared(&all);
            if let Some(own) = own {
                budget = budget.tokens(own);
            }
            let mut run = extract::<Count>().model(&model).document("d").budget(budget);
            if patch {
                run = run.repair(typed_extract::Repair::Patch);
            }
            match cap {
                Some(cap) => run.max_output_tokens(cap).into_future(),
                None => run.into_future(),
            }
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let ended = runtime.block_on(together((0..runs).map(|_| run())));
        for error in ended.into_iter().filter_map(Result::err) {
            prop_assert!(error.record().cost().tokens() <= own.unwrap_or(u64::MAX));
        }
        prop_assert!(*used.lock().unwrap() <= limit);
        prop_assert_eq!(all.spent_tokens(), *used.lock().unwrap());
    }
}
