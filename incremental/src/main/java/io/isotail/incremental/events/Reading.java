package io.isotail.incremental.events;

import org.jspecify.annotations.Nullable;

/** That a transaction read a version from another one. */
final class Reading {
  final Member reader;
  final VersionSlot version;

  /** To the writer of the next version; null where there is none, or that is the reader itself. */
  @Nullable Dependency rw;

  Reading(Member reader, VersionSlot version) {
    this.reader = reader;
    this.version = version;
  }
}
