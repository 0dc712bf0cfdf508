package io.isotail.ingest.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UniqueNumbersTest {
  private static final FormatLimits LOSSY = new FormatLimits(PlumeFormat.LABEL, Fidelity.LOSSY);

  @Test
  void numbersAreUniqueGrowWithinSessionsAndAreKeptWhereTheyCanBe() {
    for (int round = 0; round < 500; round++) {
      long seed = System.nanoTime();
      Random random = new Random(seed);
      UniqueNumbers numbers = new UniqueNumbers(LOSSY);
      int range = 1 + random.nextInt(200);
      Set<Long> taken = new HashSet<>();
      Map<Integer, Long> lastOfSession = new HashMap<>();
      for (int i = 0; i < 150; i++) {
        int session = random.nextInt(4);
        long own = random.nextInt(range);
        long last = lastOfSession.getOrDefault(session, -1L);
        boolean free = own > last && !taken.contains(own);
        long number = numbers.of(transaction(session, own));
        assertThat(taken.add(number)).as("seed %d", seed).isTrue();
        assertThat(number).as("seed %d", seed).isGreaterThan(last);
        assertThat(number == own).as("seed %d", seed).isEqualTo(free);
        lastOfSession.put(session, number);
      }
    }
  }

  @Test
  void withoutRoomForHolesNumbersAreStillUnique() {
    UniqueNumbers numbers = new UniqueNumbers(LOSSY, 2);
    Set<Long> taken = new HashSet<>();
    for (long number = 1_000; number > 0; number -= 2) {
      assertThat(taken.add(numbers.of(transaction(number, number)))).isTrue();
    }
    for (long number = 0; number < 1_000; number++) {
      assertThat(taken.add(numbers.of(transaction(2_000 + number, number)))).isTrue();
    }
  }

  @Test
  void numbersAreUnsigned() {
    UniqueNumbers numbers = new UniqueNumbers(LOSSY);
    assertThat(numbers.of(transaction(0, Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
    assertThat(numbers.of(transaction(0, 7))).isEqualTo(Long.MIN_VALUE + 1);
    assertThat(numbers.of(transaction(1, -2))).isEqualTo(-2);
    assertThatThrownBy(() -> numbers.of(transaction(1, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has the greatest number before it");
  }

  @Test
  void whoHasNoNumberGetsOne() {
    UniqueNumbers numbers = new UniqueNumbers(LOSSY);
    assertThat(numbers.of(transaction(0, -1))).isZero();
    assertThat(numbers.of(transaction(0, -1))).isEqualTo(1);
    assertThat(numbers.of(transaction(1, 1))).isEqualTo(2);
  }

  private static TransactionRecord transaction(long session, long number) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, Long.toUnsignedString(session)),
        0,
        number,
        0,
        Outcome.COMMITTED,
        null,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        Operations.EMPTY);
  }
}
