//! The inventory of the interface holds for RustCrypto's `ml-dsa` 0.1.2 itself: what tests/api.rs
//! asks of our crate is what that crate has.

extern crate ml_dsa as subject;

#[path = "api/inventory.rs"]
mod inventory;

use ml_dsa::{MlDsa44, MlDsa65, MlDsa87};

#[test]
fn the_inventory_describes_ml_dsa() {
    inventory::marker_types();
    inventory::inventory::<MlDsa44>();
    inventory::inventory::<MlDsa65>();
    inventory::inventory::<MlDsa87>();
    #[cfg(feature = "pkcs8")]
    {
        inventory::pkcs8::marker_types();
        inventory::pkcs8::inventory::<MlDsa44>();
        inventory::pkcs8::inventory::<MlDsa65>();
        inventory::pkcs8::inventory::<MlDsa87>();
    }
}
