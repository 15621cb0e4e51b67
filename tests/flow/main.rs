//! The flow with strings: what it takes, what it says, and that nothing breaks
//! it.

mod agreement;
mod hostile;
mod partial;
mod property;
mod secrecy;
