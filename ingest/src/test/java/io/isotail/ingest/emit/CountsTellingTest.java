package io.isotail.ingest.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.CaptureCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CountsTellingTest {
  private final CountsTelling telling = new CountsTelling();

  /** Counts one more statement each time that it is asked. */
  private static final class Counting implements CountsSource {
    private final String service;
    private int counted;
    private int telling;
    private int told;

    Counting(String service) {
      this.service = service;
    }

    @Override
    public CaptureCounts untold(int mostKinds) {
      telling = counted;
      return counted == told ? null : new CaptureCounts(service, counted - told, List.of());
    }

    @Override
    public void told() {
      told = telling;
    }
  }

  @Test
  void aHeartbeatThatWasGivenUpIsToldAgain() {
    Counting source = new Counting("shop");
    telling.add(source);
    source.counted = 3;
    assertThat(telling.next(0, true).captured()).isEqualTo(3);
    assertThat(telling.next(1, true).captured()).isEqualTo(3);
    telling.acknowledged();
    assertThat(telling.next(2, true)).isNull();
    assertThat(source.told).isEqualTo(3);
  }

  @Test
  void sourcesTakeTurns() {
    Counting shop = new Counting("shop");
    Counting bank = new Counting("bank");
    telling.add(shop);
    telling.add(bank);
    shop.counted = 1;
    bank.counted = 1;
    assertThat(telling.next(0, true).service()).isEqualTo("shop");
    assertThat(telling.next(0, true).service()).isEqualTo("bank");
    assertThat(telling.next(0, true).service()).isEqualTo("shop");
  }

  @Test
  void freshCountsWaitUnlessTheStreamEnds() {
    Counting source = new Counting("shop");
    telling.add(source);
    source.counted = 1;
    assertThat(telling.next(0, false)).isNotNull();
    telling.acknowledged();
    assertThat(telling.next(1, false)).isNull();
    source.counted = 2;
    assertThat(telling.next(2, false)).isNull();
    assertThat(telling.next(CountsTelling.PAUSE_NS, false)).isNotNull();
    telling.acknowledged();
    source.counted = 3;
    assertThat(telling.next(CountsTelling.PAUSE_NS + 1, true)).isNotNull();
  }
}
