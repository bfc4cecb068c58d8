/**
 * Where the time of users' work went: the measurements that rules speak of and that the diagnosis
 * books. Nothing here names a root cause.
 */
package io.gcdiag.ledger;
