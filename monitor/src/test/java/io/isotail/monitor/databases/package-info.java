/**
 * Databases that tests and the campaign start, each from a package that anybody can have, and the
 * scripts that show an anomaly on one of them without isotail.
 */
package io.isotail.monitor.databases;
