package io.isotail.junit;

import io.isotail.incremental.level.IsolationLevel;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test, or all tests of a class, whose transactions must give what is promised: the test fails if
 * what they read and wrote violates the level. Which level they ran at makes no difference.
 *
 * <pre>
 * &#64;CheckIsolation
 * class OrderServiceTest {
 *   static final DataSource DATABASE = CheckedDataSource.of(realDataSource());
 *   …
 * }
 * </pre>
 *
 * <p>Transactions are seen that go through a {@link CheckedDataSource}; in Spring Boot each data
 * source of the context is one. A test that runs one transaction after the other passes at every
 * level: what is to be found must happen, so let it run beside itself.
 *
 * <p>A test fails for what it did itself, and for what threads of a shared pool did meanwhile; then
 * it names the tests that ran beside it.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(CheckIsolationExtension.class)
public @interface CheckIsolation {
  /** The level that the application relies on. */
  IsolationLevel promise() default IsolationLevel.SERIALIZABLE;

  /** Whether the test fails too if something it read could not be decided. */
  boolean failOnUndecided() default false;

  /** Whether violations are only told, in the reports of the run, and fail no test. */
  boolean reportOnly() default false;
}
