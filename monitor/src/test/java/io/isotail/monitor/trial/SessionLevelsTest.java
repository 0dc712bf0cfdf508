package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.trial.SessionLevels.Level;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Levels beside each other, and what each is held to. */
class SessionLevelsTest {
  private static final Level STRONG =
      new Level(DatabaseIsolation.SERIALIZABLE, IsolationLevel.SERIALIZABLE, "h2:serializable");
  private static final Level WEAK =
      new Level(
          DatabaseIsolation.READ_COMMITTED, IsolationLevel.READ_COMMITTED, "h2:read-committed");

  @Test
  void eachHasItsPromise() {
    SessionLevels levels = new SessionLevels(List.of(STRONG, WEAK));
    assertThat(levels.mixed()).isTrue();
    assertThat(levels.strongest()).isEqualTo(IsolationLevel.SERIALIZABLE);
    assertThat(levels.weakest()).isEqualTo(IsolationLevel.READ_COMMITTED);
    assertThat(levels.isolations()).isEqualTo("serializable,read-committed");
    assertThat(levels.promises()).isEqualTo("serializable,read-committed");
  }

  @Test
  void onePromiseForAllIsToldOnce() {
    Level same = new Level(WEAK.isolation(), STRONG.promise(), null);
    SessionLevels levels = new SessionLevels(List.of(STRONG, same));
    assertThat(levels.mixed()).isFalse();
    assertThat(levels.promises()).isEqualTo("serializable");
    assertThat(same.told()).isEqualTo("serializable");
    assertThat(STRONG.told()).isEqualTo("h2:serializable");
  }

  @Test
  void whatCannotBeToldApartIsRefused() {
    Level nameless = new Level(WEAK.isolation(), WEAK.promise(), null);
    Level twin = new Level(WEAK.isolation(), WEAK.promise(), STRONG.ranAt());
    for (Level other : List.of(nameless, twin)) {
      assertThatThrownBy(() -> new SessionLevels(List.of(STRONG, other)))
          .hasMessageContaining("read-committed is held to read-committed, and cannot be told");
    }
  }
}
