/**
 * A bank on a real PostgreSQL: business as applications do it, through a connection pool, with
 * optimistic locking, retries, savepoints and refused statements, while one client writes past
 * isotail and another is killed.
 *
 * <p>Input: a {@link io.isotail.monitor.bank.BankPlan}. Output: {@link
 * io.isotail.monitor.bank.BankFigures}. Owner: the thread that calls {@link
 * io.isotail.monitor.bank.BankRun#run}; tellers have their own. Bound: the time that it is given;
 * whatever it starts, it stops.
 */
@NullMarked
package io.isotail.monitor.bank;

import org.jspecify.annotations.NullMarked;
