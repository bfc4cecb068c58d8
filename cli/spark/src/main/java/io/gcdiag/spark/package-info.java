/** The fleet command's cases as a job of Apache Spark: a map over folders that writes rows. */
package io.gcdiag.spark;
