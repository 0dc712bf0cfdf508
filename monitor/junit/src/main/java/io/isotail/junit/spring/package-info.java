/**
 * Makes each data source of a Spring context a checked one, where Spring Boot finds this module.
 *
 * <p>Input: the beans of a context. Output: each {@code DataSource} among them, wrapped. Thread:
 * that which makes the context. Bound: none of its own.
 */
@NullMarked
package io.isotail.junit.spring;

import org.jspecify.annotations.NullMarked;
