package io.isotail.monitor.resolve;

import io.isotail.monitor.terminal.Printable;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A hashed key to look for.
 *
 * @param shown as it was given
 * @param table name of its table as the proxies send it, null if it is not known
 * @param ids the hash; two, when sixteen digits can be hexadecimal or decimal
 * @param versions hashes of the key's versions that are to be told as well
 * @param clearName the key in clear, where the proxy sends it beside the hash
 */
public record HashedKey(
    String shown,
    @Nullable String table,
    Set<Long> ids,
    Set<Long> versions,
    @Nullable String clearName) {
  private static final int HEX_DIGITS = 16;

  /** {@code r orders#0d6c8009d9a94f5a=85676696d7fb7e2d}, of which all but the number may lack. */
  private static final Pattern SHOWN =
      Pattern.compile(
          "(?:[rwdl] )?(?:(?<table>.+)#)?(?<key>[0-9A-Fa-fx]+)(?:=(?<version>\\S+))?(?: \\(undone\\))?");

  private static final Pattern IN_CLEAR = Pattern.compile("[^\\[\\]]+\\[.*](?:=.*)?");
  private static final Set<String> NO_VERSION = Set.of("?", "absent", "deleted", "initial");

  /** Copies the sets. */
  public HashedKey {
    ids = Set.copyOf(ids);
    versions = Set.copyOf(versions);
  }

  /**
   * Reads a key as a page, a witness or JSON shows it.
   *
   * @throws ResolveException when it is none
   */
  public static HashedKey parse(String text) throws ResolveException {
    if (IN_CLEAR.matcher(text).matches()) {
      throw new ResolveException(
          "%s is in clear already: the proxy does not hide this key; expected a hashed one"
              .formatted(Printable.value(text)));
    }
    Matcher matcher = SHOWN.matcher(text);
    Set<Long> ids = matcher.matches() ? numbers(matcher.group("key")) : Set.of();
    String version = ids.isEmpty() ? null : matcher.group("version");
    Set<Long> versions =
        version == null || NO_VERSION.contains(version) ? Set.of() : numbers(version);
    if (ids.isEmpty() || (version != null && versions.isEmpty() && !NO_VERSION.contains(version))) {
      throw new ResolveException(
          "found %s; expected a hashed key such as orders#0d6c8009d9a94f5a, 0d6c8009d9a94f5a or"
                  .formatted(Printable.value(text))
              + " its number 967288799772626778");
    }
    return new HashedKey(text, matcher.group("table"), ids, versions, null);
  }

  /** The hash as witnesses show it. */
  public static String hex(long id) {
    return String.format("%016x", id);
  }

  /** What the digits can mean; nothing if they are no number of 64 bits. */
  private static Set<Long> numbers(String digits) {
    Set<Long> numbers = new LinkedHashSet<>();
    try {
      if (digits.startsWith("0x")) {
        numbers.add(Long.parseUnsignedLong(digits.substring(2), 16));
        return numbers;
      }
      if (digits.length() == HEX_DIGITS) {
        numbers.add(Long.parseUnsignedLong(digits, 16));
      }
      if (digits.matches("[0-9]+")) {
        numbers.add(Long.parseUnsignedLong(digits));
      }
    } catch (NumberFormatException e) {
      return Set.of();
    }
    return numbers;
  }
}
