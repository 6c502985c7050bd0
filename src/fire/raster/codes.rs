//! Codes of the EPSG: the unit of their coordinates, and the projection where its metres may not be those of the ground.

use super::stretch::{Form, Method};

/// The unit of the coordinates of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A projected system in metres.
    Metres,
    /// Feet of several lengths, and rarer units.
    Others,
    /// A system on the ellipsoid.
    Degrees,
    /// No code of a projected system that is known here.
    Unknown,
}

/// Codes of projected systems that are not in metres, and codes of systems on the ellipsoid, by version 12 of the registry: single codes,
/// ranges and every n-th code of a range. Ranges may have codes that stand for nothing or for systems of other kinds.
#[rustfmt::skip]
const OTHERS: &str = "\
    2066 2136 2155-2159/4 2160 2194 2204 2222-2289 2314 2867-2930 2964-2968 2992-2994/2 3080 3089-3091/2 3102 3139-3140 3167 \
    3359-3365/2 3404-3407/3 3417-3438 3441-3446 3451-3459 3479-3487/2 3490-3512/2 3515-3553/2 3560-3570 3582-3590/2 3593 \
    3598-3600/2 3605-3608/3 3610-3636/2 3640-3664/2 3668-3676/2 3677-3686/3 3679-3682/3 3688-3700/4 3690 3698 3728-3739 \
    3753-3760 3991-3992 4217 4399-4413 4418-4433 4438-4457 5472 5588-5589 5623-5625 5646 5654-5655 6128-6129 6141-6202 6391 \
    6405-6413/2 6416-6438/2 6441-6479/2 6484-6496/2 6499-6507/2 6510 6515-6565/2 6568-6578/2 6582-6590/2 6593-6609/2 \
    6612-6618/2 6625-6627 6633 6785-6863/2 6868-6880/3 6885-6887/2 6923-6925/2 6966 6997 7057-7070 7119-7128 7132 \
    7258-7370/2 7587-7645 8035-8036 8065-8068 8091-8093/2 8096-8182/2 8177-8189/3 8185-8197/4 8200-8210/2 8213-8216/3 \
    8220-8226/3 8224 8312-8348/2 8380-8384/2 8387 8518-8540 9748-9749 10481-10516 10622 20050 22300 23301-23333 24100 \
    24370-24374 24382 24571 26729-26813 26847-26870 27291-27292 29871-29872 30200 32001-32058 32064-32077 32099 32164-32167 \
    32664-32667";
#[rustfmt::skip]
const DEGREES: &str = "\
    3819-3824 3887-3889 3906 4000-4025 4027-4036 4039-4047 4052-4055 4073-4081 4120-4388/2 4121-4215 4219-4389 4463-4483/5 \
    4465-4480/5 4466-4472/2 4469 4479-4482 4490 4555-4558 4600-4646 4657-4765 4801-4823/2 4802-4810 4814-4820 4824 4882-5013 \
    5132 5228-5233 5244-5252/2 5245 5251 5262-5264 5322-5324 5332-5342/2 5341 5352-5354 5358-5373/5 5359-5379/5 5360-5380/5 \
    5371-5381 5391-5393 5451 5464 5467 5487-5489 5524-5527 5544-5546 5558-5560/2 5561 5591-5593 5681 5828-5830 5884-5886 \
    6133-6135 6207 6309-6325/2 6310-6320/5 6318-6324 6363-6365 6666-6668 6704-6706 6781-6783 6881-6883 6892-6894 6934 \
    6978-6983 6985-6990 7034-7042 7071-7073 7084-7088 7133-7139 7371-7373 7656-7686 7789 7796-7798 7815-7816 7842-7844 \
    7879-7881 7884-7930/2 7885-7925/5 7901-7931 8042-8043 8084-8086 8227-8255 8351 8397-8431 8449 8541-8545 8683-8685 \
    8694-8818 8860-8902 8905-8907 8915-8949 8972-9019 9053-9140 9146-9148 9151-9153 9182-9184 9248-9253/5 9251-9266/5 9267 \
    9292-9294 9299-9309/2 9308-9332/2 9331-9333 9364-9384/2 9379 9403-9468/5 9469-9470 9474-9475 9545-9547 9694-9696 \
    9700-9780/5 9701-9702 9739 9753-9783/5 9754-9784/5 9776-9782 9866-9871/5 9892-9893 9939-9989/5 9988-9990 10158-10178/5 \
    10175-10177 10185-10191/2 10196-10204/2 10209-10249/5 10237-10265/2 10252 10256 10260 10268-10283/5 10272-10282/5 10284 \
    10297-10305 10307-10312 10326-10414/2 10327 10345-10413 10468-10474/2 10473-10475 10569-10571 10604-10606 10623-10673/5 \
    10669-10672 20033-20041 20044-20046";
/// Where the codes of projected systems lie, and those of the maps of the world of Esri, which are all in metres.
const PROJECTED: [std::ops::RangeInclusive<u16>; 3] = [2000..=11_118, 20_000..=32_766, 53_001..=54_999];

/// The unit of a code.
pub(crate) fn unit(code: u16) -> Unit {
    let is_in = |all: &str| all.split_whitespace().any(|part| covers(part, code));
    match () {
        () if is_in(DEGREES) => Unit::Degrees,
        () if is_in(OTHERS) => Unit::Others,
        () if PROJECTED.iter().any(|codes| codes.contains(&code)) => Unit::Metres,
        () => Unit::Unknown,
    }
}

/// Whether `a`, `a-b` or `a-b/step` covers a code.
fn covers(part: &str, code: u16) -> bool {
    let (range, step) = part.split_once('/').unwrap_or((part, "1"));
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let [first, last, step]: [u16; 3] = [first, last, step].map(|number| number.parse().unwrap_or(1));
    (first..=last).contains(&code) && (code - first).is_multiple_of(step)
}

/// The projection of a code, where its metres may be others than those of the ground.
pub(super) fn form(code: u16) -> Option<Form> {
    let at = |method, origin: f64, parallel: f64| Some(Form::new(method, [origin; 2]).with_parallel(parallel));
    let polar = |origin, scale| Some(Form::new(Method::PolarStereographic, [origin; 2]).with_scale(scale));
    match code {
        3349 | 3395 | 3785 | 3832 | 3857 | 53_004 | 54_004 => at(Method::Mercator, 0.0, 0.0),
        3388 => at(Method::Mercator, 0.0, 42.0),
        3994 => at(Method::Mercator, 0.0, -41.0),
        2934 | 3000..=3002 | 5329..=5331 | 21_100 | 25_700 => {
            Some(Form::new(Method::Mercator, [3.9e6, 9e5]).with_scale(0.997))
        }
        5641 => Some(Form::new(Method::Mercator, [5e6, 1e7]).with_parallel(-2.0)),
        3786 | 4087 | 4088 | 32_662 | 32_663 | 53_001 | 54_001 => at(Method::PlateCarree, 0.0, 0.0),
        53_002 | 54_002 => at(Method::PlateCarree, 0.0, 60.0),
        25_828..=25_838 | 26_901..=26_923 | 32_601..=32_660 | 32_701..=32_760 => {
            Some(Form::new(Method::Transverse, [5e5, 0.0]).with_scale(0.9996))
        }
        3410 | 3975 | 6933 => at(Method::EqualAreaCylinder, 0.0, 30.0),
        53_034 | 54_034 => at(Method::EqualAreaCylinder, 0.0, 0.0),
        2163 | 3408 | 3409 | 3571..=3576 | 3973 | 3974 | 6931 | 6932 | 9311 => at(Method::EqualAreaAzimuth, 0.0, 0.0),
        3035 | 5633 | 5635 | 5636 | 5638 | 9039 => {
            Some(Form::new(Method::EqualAreaAzimuth, [4_321_000.0, 3_210_000.0]))
        }
        3411 | 3412 | 3413 | 3976 | 5890 => at(Method::PolarStereographic, 0.0, 70.0),
        3031 | 3995 => at(Method::PolarStereographic, 0.0, 71.0),
        3032 => at(Method::PolarStereographic, 6e6, 71.0),
        3996 => at(Method::PolarStereographic, 0.0, 75.0),
        5041 | 5042 | 5936..=5940 | 32_661 | 32_761 => polar(2e6, 0.994),
        53_008 | 54_008 => at(Method::Sinusoidal, 0.0, 0.0),
        53_009 | 54_009 => at(Method::Mollweide, 0.0, 0.0),
        8857..=8859 | 53_001..=54_999 => Some(Form::unknown(Method::World)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of what pyproj 3 says of each code.
    #[test]
    fn units_are_those_of_the_registry() {
        for code in [
            2066, 2136, 2222, 2225, 2230, 2263, 2272, 2289, 2867, 2868, 2930, 2964, 2992, 2994, 3080, 3089, 3102, 3417,
            3438, 3560, 3734, 3753, 4217, 4399, 4457, 5472, 5588, 6128, 6391, 6405, 6418, 6479, 6494, 6559, 6597, 6868,
            7057, 7132, 7258, 7370, 8065, 8096, 8182, 8312, 8518, 9748, 10_481, 20_050, 24_370, 26_729, 26_813, 26_847,
            27_291, 29_872, 32_001, 32_058, 32_064, 32_099, 32_164, 32_667,
        ] {
            assert_eq!(unit(code), Unit::Others, "{code}");
        }
        for code in [
            2000, 2065, 2154, 2193, 2221, 2290, 2759, 2866, 2931, 3005, 3031, 3035, 3067, 3081, 3310, 3338, 3395, 3439,
            3740, 3857, 4026, 4087, 4390, 4462, 4467, 4471, 4488, 4547, 4559, 4647, 4826, 5070, 5186, 5514, 6350, 6404,
            6414, 6417, 6933, 7131, 7374, 7855, 8097, 8311, 9377, 10_314, 20_002, 25_832, 26_910, 26_911, 27_700,
            28_992, 29_873, 31_370, 32_610, 32_661, 32_662, 32_700, 32_733,
        ] {
            assert_eq!(unit(code), Unit::Metres, "{code}");
        }
        for code in [
            3819, 4001, 4030, 4171, 4202, 4258, 4267, 4269, 4283, 4326, 4490, 4612, 4617, 4979, 4674, 5013, 6318, 6668,
            7844, 8999, 9000, 9057,
        ] {
            assert_eq!(unit(code), Unit::Degrees, "{code}");
        }
        for code in [0, 1, 1024, 1999, 12_000, 19_999, 32_768, 53_000, 60_000] {
            assert_eq!(unit(code), Unit::Unknown, "{code}");
        }
    }
}
