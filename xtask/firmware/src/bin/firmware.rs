//! Makes keys, signs and verifies with every parameter set, on a Cortex-M4.
#![no_std]
#![no_main]

use core::panic::PanicInfo;
use cortex_m_rt::entry;
use cortex_m_semihosting::{debug, hio, hprintln};

#[entry]
fn main() -> ! {
    let good = hio::hstdout().is_ok_and(|mut out| firmware::check_all(&mut out));
    debug::exit(if good {
        debug::EXIT_SUCCESS
    } else {
        debug::EXIT_FAILURE
    });
    loop {}
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    hprintln!("{}", info);
    debug::exit(debug::EXIT_FAILURE);
    loop {}
}
