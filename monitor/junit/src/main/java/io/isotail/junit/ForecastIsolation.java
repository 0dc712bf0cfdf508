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
 * A test, or all tests of a class, of which is told what their transactions could do to a promise
 * if they ran beside each other. The tests themselves may run one transaction after the other.
 *
 * <pre>
 * &#64;ForecastIsolation
 * class OrderServiceTest {
 *   static final DataSource DATABASE = CheckedDataSource.of(realDataSource());
 *   …
 * }
 * </pre>
 *
 * <p>Transactions that commit are seen, of all tests of the run so far. On PostgreSQL a forecast is
 * tried out: the transactions run once more, in the order in which they do harm, on copies of their
 * tables in a schema of its own. What the database does not let happen is no forecast any more.
 *
 * <p>The run leaves {@code forecast-PID.md}, {@code forecast-PID.json} and the traffic, {@code
 * traffic-PID.jsonl} for {@code isotail forecast --diff}, in {@code target/isotail}.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ForecastIsolationExtension.class)
public @interface ForecastIsolation {
  /** The level that the application relies on. */
  IsolationLevel promise() default IsolationLevel.SERIALIZABLE;

  /** Which forecasts fail the test after which they are first made. */
  FailOn failOn() default FailOn.NOTHING;

  /** Whether forecasts are tried out on the database. */
  boolean prove() default true;

  /** Which forecasts fail a test. */
  enum FailOn {
    /** None: they are only told. */
    NOTHING,
    /** Those that were seen on the database. */
    PROVED,
    /** Those that are possible with the values that were seen, too. */
    POSSIBLE
  }
}
