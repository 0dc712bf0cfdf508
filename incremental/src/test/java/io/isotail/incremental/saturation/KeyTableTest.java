package io.isotail.incremental.saturation;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.Tuning;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The table answers as an ordinary map does, through growth, collisions and removals. */
final class KeyTableTest {
  private final WriterMemory memory = new WriterMemory(Tuning.DEFAULT);

  @Test
  void answersAsAMapDoes() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      int keys = 1 + random.nextInt(300);
      KeyTable table = new KeyTable();
      TreeMap<Long, KeyWriters> map = new TreeMap<>();
      for (int step = 0; step < 3_000; step++) {
        long key = random.nextInt(keys) * (seed % 2 == 0 ? 1L : 0x1_0000_0000L);
        if (map.containsKey(key) && random.nextInt(100) < (step < 1_500 ? 30 : 70)) {
          table.remove(key);
          map.remove(key);
        } else if (!map.containsKey(key)) {
          KeyWriters writers = new KeyWriters(key, memory);
          table.add(writers);
          map.put(key, writers);
        }
        assertThat(table.get(key)).as("seed %d, step %d", seed, step).isSameAs(map.get(key));
      }
      List<KeyWriters> found = new ArrayList<>();
      map.keySet().forEach(key -> found.add(table.get(key)));
      assertThat(found).as("seed %d", seed).containsExactlyElementsOf(map.values());
    }
  }
}
