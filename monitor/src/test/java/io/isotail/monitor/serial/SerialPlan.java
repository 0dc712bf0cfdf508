package io.isotail.monitor.serial;

import io.isotail.incremental.Seeds;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One run. All that is random in it follows from the seed.
 *
 * @param unique whether versions are declared unique, and are; else {@code counted} and {@code
 *     vault} are declared counting, and the other tables nothing
 * @param sessions captured connections, 1 to 4
 * @param proxies applications that they belong to, 1 or 2
 * @param mirrored whether a trigger on {@code plain} writes {@code mirror}
 * @param wild whether there are statements after which isotail does not know for seconds what names
 *     mean: DO, and texts of several statements
 * @param turns transactions, captured or not
 * @param plant what is planted, null for nothing
 */
record SerialPlan(
    long seed,
    boolean unique,
    int sessions,
    int proxies,
    boolean mirrored,
    boolean wild,
    int turns,
    @Nullable Plant plant) {

  /** A run in which nothing is wrong. Every third seed declares unique versions. */
  static SerialPlan honest(long seed) {
    Random random = Seeds.random(seed);
    int sessions = 1 + random.nextInt(4);
    return new SerialPlan(
        seed,
        Math.floorMod(seed, 3) == 0,
        sessions,
        1 + random.nextInt(Math.min(2, sessions)),
        random.nextBoolean(),
        random.nextInt(8) == 0,
        40 + random.nextInt(120),
        null);
  }

  /** The run of the seed with an anomaly in it. */
  static SerialPlan planted(long seed, Plant plant, boolean unique) {
    SerialPlan honest = honest(seed);
    return new SerialPlan(
        seed,
        unique,
        Math.max(2, honest.sessions),
        honest.proxies,
        honest.mirrored,
        false,
        honest.turns,
        plant);
  }
}
