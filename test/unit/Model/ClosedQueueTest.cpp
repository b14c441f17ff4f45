//===- ClosedQueueTest.cpp - Customers that queue for several servers ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/ClosedQueue.h"
#include "gtest/gtest.h"

using namespace gpuprune;

TEST(ClosedQueue, OneCustomerWaitsForNobody) {
  EXPECT_DOUBLE_EQ(closedQueueTime({2, 3}, 5, 1), 10);
  EXPECT_DOUBLE_EQ(closedQueueTime({}, 5, 1), 5);
  EXPECT_DOUBLE_EQ(closedQueueTime({0, 0}, 0, 3), 0);
}

TEST(ClosedQueue, CustomersThatNeverMeetDivideTheTime) { EXPECT_DOUBLE_EQ(closedQueueTime({}, 8, 4), 2); }

TEST(ClosedQueue, EqualServersAreBusyForAllButOneOfManyCustomers) {
  for (unsigned Customers : {1, 2, 8, 16})
    EXPECT_DOUBLE_EQ(closedQueueTime({4, 4}, 0, Customers), 4.0 * (Customers + 1) / Customers);
}

/// By hand: Q = (3, 1) / 6 after one customer, R = (4.5, 1 + 1/6), X = 2 / 7.6667.
TEST(ClosedQueue, TwoCustomersAtUnequalServers) {
  EXPECT_NEAR(closedQueueTime({3, 1}, 2, 2), (2 + 3 * 1.5 + 1 * (1 + 1.0 / 6)) / 2, 1e-12);
}

TEST(ClosedQueue, TheSlowestServerBoundsManyCustomers) {
  EXPECT_GT(closedQueueTime({3, 1}, 10, 8), 3.08);
  EXPECT_NEAR(closedQueueTime({3, 1}, 10, 64), 3, 1e-3);
}
