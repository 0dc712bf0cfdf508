/** What the driver's jar has beside the driver: where its logs go. */
@NullMarked
package io.isotail.driver;

import org.jspecify.annotations.NullMarked;
