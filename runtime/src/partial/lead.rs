//! What may stand before the value: white space, a reasoning block, a fence.

use crate::flow::normalize::{REASONING, is_language};
use crate::normalization::Normalize;

const FENCE: &str = "```";

/// How far the text before the value was read.
#[derive(Debug, Default)]
pub(super) struct Lead {
    stage: Stage,
    /// Whether white space was passed that JSON does not know, which only an unwrapped reply may
    /// hold.
    foreign_space: bool,
}

#[derive(Debug, Default, Clone, Copy)]
enum Stage {
    #[default]
    Start,
    /// In a reasoning block that ends with this.
    Reasoning(&'static str),
    Reasoned,
    /// In the word behind an opening fence.
    Language,
    Fenced,
}

/// What reading on came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Led {
    /// The value begins here.
    Value,
    More,
    /// No value that the flow takes.
    Nothing,
}

impl Lead {
    pub(super) fn read(&mut self, text: &str, at: &mut usize, allowed: Normalize) -> Led {
        loop {
            let rest = text.get(*at..).unwrap_or_default();
            let next = match self.stage {
                Stage::Start | Stage::Reasoned | Stage::Fenced => {
                    let trimmed = rest.trim_start();
                    let space = rest.len() - trimmed.len();
                    self.foreign_space |= !rest
                        .bytes()
                        .take(space)
                        .all(|byte| b" \n\t\r".contains(&byte));
                    *at += space;
                    self.opening(trimmed, at, allowed)
                }
                Stage::Reasoning(close) => pass_reasoning(rest, close, at),
                Stage::Language => pass_language(rest, at),
            };
            match next {
                Ok(stage) => {
                    self.stage = stage;
                    self.foreign_space = false;
                }
                Err(led) => return led,
            }
        }
    }

    fn opening(&self, rest: &str, at: &mut usize, allowed: Normalize) -> Result<Stage, Led> {
        if rest.is_empty() {
            return Err(Led::More);
        }
        let fence = allowed.unfences() && !matches!(self.stage, Stage::Fenced);
        let reasoning = allowed.skips_reasoning() && matches!(self.stage, Stage::Start);
        let opened = REASONING.iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = opened.filter(|_| reasoning) {
            *at += open.len();
            return Ok(Stage::Reasoning(close));
        }
        if fence && rest.starts_with(FENCE) {
            *at += FENCE.len();
            return Ok(Stage::Language);
        }
        let begins = |whole: &str| whole.starts_with(rest);
        if (fence && begins(FENCE)) || (reasoning && REASONING.iter().any(|(open, _)| begins(open)))
        {
            return Err(Led::More);
        }
        let trimmed_off = matches!(self.stage, Stage::Reasoned | Stage::Fenced);
        Err(if self.foreign_space && !trimmed_off {
            Led::Nothing
        } else {
            Led::Value
        })
    }
}

fn pass_reasoning(rest: &str, close: &str, at: &mut usize) -> Result<Stage, Led> {
    if let Some(place) = rest.find(close) {
        *at += place + close.len();
        return Ok(Stage::Reasoned);
    }
    // The end may have begun; all before it need not be looked at again.
    let tail = rest.len().saturating_sub(close.len() - 1);
    *at += (0..=tail)
        .rev()
        .find(|place| rest.is_char_boundary(*place))
        .unwrap_or(0);
    Err(Led::More)
}

fn pass_language(rest: &str, at: &mut usize) -> Result<Stage, Led> {
    let Some(end) = rest.find(|c: char| !is_language(c)) else {
        *at += rest.len();
        return Err(Led::More);
    };
    *at += end;
    Ok(Stage::Fenced)
}
