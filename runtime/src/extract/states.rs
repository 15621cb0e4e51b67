//! What an extraction must be given before it runs, as types: a model, a document and, where rules
//! read one, a context. The compiler says which is missing and how to go on.

use std::marker::PhantomData;

use serde_json::Value;

use crate::evidence::document::Document;
use crate::model::Model;
use crate::node::Extract;

/// What can be extracted: an [`Extract`] type, or a [`Value`] under a schema
/// known only at run time.
pub trait Target: Sized {
    /// What its rules read beside its fields.
    type Context: ?Sized + 'static;
}

impl<T: Extract> Target for T {
    type Context = <T as Extract>::Context;
}

impl Target for Value {
    type Context = ();
}

/// No model is chosen yet.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NoModel;

/// No document is given yet.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NoDocument;

/// No context is given.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct NoContext<C: ?Sized>(pub(super) PhantomData<fn(&C)>);

/// The documents to extract from.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Text<'a>(pub(super) Vec<Document<'a>>);

impl From<NoDocument> for Text<'_> {
    fn from(_: NoDocument) -> Self {
        Self(Vec::new())
    }
}

/// A model that was chosen.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no model to ask",
    label = "call `.model(&model)` on it before awaiting",
    note = "`.validate(reply)` checks a reply without a model"
)]
pub trait ChosenModel: Send + Sync {
    fn chosen(&self) -> &dyn Model;
}

impl<M: Model> ChosenModel for ByModel<M> {
    fn chosen(&self) -> &dyn Model {
        &self.0
    }
}

/// A chosen model.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ByModel<M>(pub(super) M);

/// A document that was given.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this extraction has no document",
    label = "call `.document(text)` on it first"
)]
pub trait GivenDocument: Send + Sync {
    fn given(&self) -> &[Document<'_>];
}

impl GivenDocument for Text<'_> {
    fn given(&self) -> &[Document<'_>] {
        &self.0
    }
}

/// The context that a type's rules read, or none where they read none.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the rules of this type read a context of type `{C}`",
    label = "call `.context(&value)` on it first"
)]
pub trait GivenContext<C: ?Sized>: Send + Sync {
    fn context(&self) -> &C;
}

impl GivenContext<()> for NoContext<()> {
    fn context(&self) -> &() {
        &()
    }
}

impl<C: ?Sized + Sync> GivenContext<C> for &C {
    fn context(&self) -> &C {
        self
    }
}
