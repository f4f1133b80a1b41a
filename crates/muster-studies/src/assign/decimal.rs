//! Decimal numbers without rounding: 0.1 and 0.3 are as far apart as 0.3 and 0.5.

/// A number as written: digits times ten to a power, without trailing zeros.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: i64,
    power: i32,
}

/// Digits behind the point that are told apart.
const MOST_PLACES: i32 = 9;
/// Larger numbers are not taken for times or angles.
const LARGEST: i64 = 1_000_000_000_000_000;

impl Decimal {
    /// Reads a JSON number; none if it is no number, too large or too fine.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str::<serde_json::Number>(text).ok()?;
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = fraction.trim_end_matches('0');
        let mut digits: i64 = format!("{whole}{fraction}").parse().ok()?;
        let mut power = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        while digits != 0 && digits % 10 == 0 {
            digits /= 10;
            power += 1;
        }
        if digits == 0 {
            power = 0;
        }
        let number = Self { digits, power };
        let places = number.places();
        (places <= MOST_PLACES && number.scaled(0.max(places)).is_some()).then_some(number)
    }

    /// How many digits stand behind the point.
    pub fn places(self) -> i32 {
        (-self.power).max(0)
    }

    /// Whether it is no larger than a whole number.
    pub fn is_at_most(self, whole: i64) -> bool {
        self.scaled(self.places()).is_none_or(|value| value <= whole * 10_i64.pow(self.places() as u32))
    }

    /// The number in units of which ten to the power of `places` make one; none if it is too large.
    pub fn scaled(self, places: i32) -> Option<i64> {
        let factor = 10_i64.checked_pow(u32::try_from(self.power.checked_add(places)?).ok()?)?;
        self.digits.checked_mul(factor).filter(|value| value.abs() <= LARGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let scaled = |text: &str| Decimal::parse(text).and_then(|number| number.scaled(3));
        assert_eq!(scaled("0"), Some(0));
        assert_eq!(scaled("-0.0"), Some(0));
        assert_eq!(scaled("22.5"), Some(22_500));
        assert_eq!(scaled("-2.50"), Some(-2_500));
        assert_eq!(scaled("1e2"), Some(100_000));
        assert_eq!(scaled("125E-3"), Some(125));
        assert_eq!(scaled("100"), Some(100_000));
        for text in ["", "1,5", "NaN", "1e99", "1e-30", "99999999999999999999", "null", "\"1\"", "1e99999999999", "+1"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
