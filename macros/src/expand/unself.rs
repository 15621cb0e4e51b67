//! `Self` names the real type, also where its parts are copied.

use syn::visit_mut::{self, VisitMut};
use syn::{DeriveInput, Path, Type, parse_quote};

/// Replaces `Self` in a copy of parts of the type.
pub(crate) struct ReplaceSelf<'a>(pub(crate) &'a DeriveInput);

impl VisitMut for ReplaceSelf<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && path.path.is_ident("Self")
        {
            let (_, arguments, _) = self.0.generics.split_for_impl();
            let ident = &self.0.ident;
            *ty = parse_quote!(#ident #arguments);
        }
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        let more = path.segments.len() > 1;
        let first = path.segments.first_mut();
        if let Some(first) = first.filter(|first| more && first.ident == "Self") {
            first.ident = self.0.ident.clone();
        }
    }
}
