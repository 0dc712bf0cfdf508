package io.isotail.incremental.digraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Labels ascend along the list, whatever was put where. */
final class LabelledListTest {
  private static final class Item extends ListedNode<Item, Link<Item>> {}

  @Test
  void isTheSameAsAListThatKnowsNoLabels() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      LabelledList<Item, Link<Item>> list = new LabelledList<>();
      List<Item> expected = new ArrayList<>();
      for (int step = 0; step < 300; step++) {
        int place = random.nextInt(expected.size() + 1);
        List<Item> run = Stream.generate(Item::new).limit(1 + random.nextInt(4)).toList();
        if (place == expected.size() && random.nextBoolean()) {
          run = run.subList(0, 1);
          list.append(run.get(0));
          expected.add(run.get(0));
        } else if (place < expected.size() && random.nextInt(4) == 0) {
          list.remove(expected.remove(place));
        } else if (place < expected.size() && random.nextBoolean()) {
          list.putBefore(expected.get(place), run);
          expected.addAll(place, run);
        } else if (place < expected.size()) {
          list.putAfter(expected.get(place), run);
          expected.addAll(place + 1, run);
        }
        assertThat(inOrder(list)).as("seed %d, step %d", seed, step).isEqualTo(expected);
      }
    }
  }

  @Test
  void manyFitAtOnePlace() {
    LabelledList<Item, Link<Item>> list = new LabelledList<>();
    Item first = new Item();
    Item last = new Item();
    list.append(first);
    list.append(last);
    for (int i = 0; i < 100_000; i++) {
      list.putBefore(last, List.of(new Item()));
    }
    for (int i = 0; i < 100_000; i++) {
      list.putAfter(first, List.of(new Item()));
    }
    assertThat(inOrder(list)).hasSize(200_002).startsWith(first).endsWith(last);
  }

  @Test
  void isTakenBackFromTheLabels() {
    LabelledList<Item, Link<Item>> list = new LabelledList<>();
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Item item = new Item();
      item.position = i;
      items.add(item);
    }
    List<Item> shuffled = new ArrayList<>(items);
    Collections.shuffle(shuffled, new Random(1));
    list.restore(shuffled);
    Item between = new Item();
    list.putBefore(items.get(50), List.of(between));
    items.add(50, between);
    assertThat(inOrder(list)).isEqualTo(items);
  }

  /** What is in the list, after a look at its links both ways and at its labels. */
  private static List<Item> inOrder(LabelledList<Item, Link<Item>> list) {
    List<Item> items = new ArrayList<>();
    for (Item item = list.last(); item != null; item = item.listedBefore) {
      Item after = item.listedAfter;
      assertThat(after).isSameAs(items.isEmpty() ? null : items.get(items.size() - 1));
      assertThat(after == null || item.position < after.position).isTrue();
      items.add(item);
    }
    Collections.reverse(items);
    return items;
  }
}
