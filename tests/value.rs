//! What a learner is made of when it is saved.

use playlab::arrays::Arrays;

#[test]
fn arrays_are_found_by_name_and_type() {
    let mut arrays = Arrays::new();
    arrays.insert("visits", vec![1_u32, 2]);
    arrays.insert("values", vec![0.5]);
    arrays.insert("visits", vec![3_u32]);
    let names: Vec<&str> = arrays.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["visits", "values"]);
    assert_eq!(arrays.get::<u32>("visits"), Ok(&[3][..]));
    assert!(!arrays.contains("keys"));
    assert_eq!(
        arrays.get::<u64>("keys").unwrap_err(),
        "the array \"keys\" is missing"
    );
    assert_eq!(
        arrays.get::<f64>("visits").unwrap_err(),
        "the array \"visits\" holds u32 where f64 is expected"
    );
}
