use typed_extract::Extract;

#[derive(Extract)]
union Word {
    whole: u32,
    half: u16,
}

fn main() {}
