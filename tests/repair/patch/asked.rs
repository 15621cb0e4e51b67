//! What is sent for a patch.
