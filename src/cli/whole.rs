//! Whole numbers within a range.

use std::ops::RangeInclusive;

use playlab::text::thousands;

/// A parser of whole numbers in this range, which is unlimited if its end is the largest number. Its errors say
/// which numbers are expected.
pub fn whole<N: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        let digits = text.trim_start_matches('0');
        number.ok_or_else(|| match (*range.start(), *range.end()) {
            (_, u64::MAX)
                if digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.len() > 9 =>
            {
                "the number is too large".to_owned()
            }
            (start, u64::MAX) => format!("expected a whole number of at least {start}"),
            (start, end) => format!(
                "expected a whole number from {} to {}",
                thousands(start),
                thousands(end)
            ),
        })
    }
}
