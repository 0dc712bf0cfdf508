package io.isotail.monitor.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckpointMetadataTest {
  @Test
  void whatIsCommittedIsReadBack() {
    CheckpointMetadata metadata =
        new CheckpointMetadata(
            Long.MAX_VALUE,
            Integer.MAX_VALUE,
            12,
            1,
            1_000_000_000_000L,
            1_000_000_000_099L,
            98,
            7,
            Long.MIN_VALUE);
    assertThat(CheckpointMetadata.parse(metadata.text())).contains(metadata);
    assertThat(CheckpointMetadata.parse(CheckpointMetadata.none(3).text()))
        .contains(CheckpointMetadata.none(3));
    // Brokers take at most 4,096 bytes by default.
    assertThat(metadata.text()).hasSizeLessThan(200);
  }

  @Test
  void theOthersBelowDifferFromThisInOneThing() {
    assertThat(
            CheckpointMetadata.parse(
                "isotail 4 published=1 epoch=0 partitions=1 slot=0 first=0 last=0 records=0 other=0 attempt=0"))
        .isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "isotail",
        "isotail 4 published=1",
        "isotail 2 published=1 epoch=0 partitions=1 slot=0 first=0 last=0 records=0 other=0 attempt=0",
        "isotail 4 published=1 epoch=0 partitions=x slot=0 first=0 last=0 records=0 other=0 attempt=0",
        "isotail 4 published=1 epoch=0 partitions=1 slot=2 first=0 last=0 records=0 other=0 attempt=0",
        "isotail 4 published=1 epoch=0 partitions=3000000000 slot=0 first=0 last=0 records=0 other=0 attempt=0",
        "AgAAAf8CAAEB"
      })
  void whatOthersCommittedIsNotTakenForOurs(String text) {
    assertThat(CheckpointMetadata.parse(text)).isEmpty();
  }
}
