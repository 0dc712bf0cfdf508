package io.isotail.explore.junit;

import io.isotail.incremental.explore.code.CodeProgram;
import io.isotail.incremental.level.IsolationLevel;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that declares transactions. It has a parameter of type {@link CodeProgram}, and
 * calls that. When it has returned, every history that the level allows the program is run, each
 * once.
 *
 * <pre>
 * &#64;Explore(level = IsolationLevel.SNAPSHOT_ISOLATION)
 * void noIncrementIsLost(CodeProgram program) {
 *   TransactionCode increment = tx -&gt; tx.put("n", tx.getLong("n") + 1);
 *   program
 *       .initially("n", 0L)
 *       .session("alice", increment)
 *       .session("bob", increment)
 *       .finalReads(tx -&gt; assertEquals(2, tx.getLong("n")));
 * }
 * </pre>
 *
 * <p>A {@code @BeforeEach} method with such a parameter declares what its tests have in common: all
 * parameters of one test are the same program. Where such a class has tests that are not
 * {@code @Explore}, it needs {@code @ExtendWith(ExploreExtension.class)}, so that these are given a
 * program too, which is not explored.
 *
 * <p>The test fails, with a history that shows it, if an assertion does not hold in some history;
 * if not every history was seen within the time limit; and if a transaction does something else
 * when it is run again with the same values, as it does where values pass by a Java variable.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(ExploreExtension.class)
public @interface Explore {
  /** The level of the transactions that declare none; serializable or a weaker one. */
  IsolationLevel level();

  /** Time for the exploration, in ms; at least 1. */
  long timeLimitMs() default 60_000;
}
