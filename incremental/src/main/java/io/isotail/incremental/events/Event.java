package io.isotail.incremental.events;

import org.jspecify.annotations.Nullable;

/** The begin or the commit of a transaction, or both where the level does not tell them apart. */
final class Event {
  /** Whose event it is. */
  final Member member;

  /** Place in the topological order. */
  long position;

  /** Mark of the last search that visited it. */
  long mark;

  /** How the last search came to it; null at its start and from begin to commit. */
  @Nullable Dependency via;

  /** The latest dependency that leads away. */
  @Nullable Dependency firstOut;

  /** The latest dependency that leads here. */
  @Nullable Dependency firstIn;

  Event(Member member) {
    this.member = member;
  }

  @Override
  public String toString() {
    String name = member.txn.name();
    return member.begin == member.commit ? name : (this == member.begin ? "b(" : "c(") + name + ")";
  }
}
