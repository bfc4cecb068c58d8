/** Any file system of Hadoop as paths of Java, to read from. */
package io.gcdiag.spark.storage;
