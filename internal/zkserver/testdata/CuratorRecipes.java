import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.atomic.*;
import org.apache.curator.framework.recipes.barriers.*;
import org.apache.curator.framework.recipes.cache.*;
import org.apache.curator.framework.recipes.leader.*;
import org.apache.curator.framework.recipes.locks.*;
import org.apache.curator.framework.recipes.nodes.*;
import org.apache.curator.framework.recipes.queue.*;
import org.apache.curator.framework.recipes.shared.*;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.*;
import org.apache.zookeeper.data.Stat;

/**
 * Takes two Curator clients through every recipe. All connections are lost once, in the middle: the program prints DROP
 * and goes on when it has read a line.
 */
public class CuratorRecipes {
  static final ExecutorService pool = Executors.newCachedThreadPool();
  static final long WAIT = 30;

  static CuratorFramework client(String hosts) throws Exception {
    CuratorFramework c = CuratorFrameworkFactory.newClient(hosts, 9000, 9000, new RetryNTimes(100, 100));
    c.start();
    c.blockUntilConnected();
    return c;
  }

  static void check(String name, Object got, Object want) {
    if (!Objects.equals(got, want)) {
      System.out.println("FAIL " + name + " " + got + " instead of " + want);
      System.exit(1);
    }
    System.out.println("ok " + name);
  }

  static <T> T get(Future<T> f) throws Exception { return f.get(WAIT, TimeUnit.SECONDS); }

  static byte[] bytes(String s) { return s.getBytes(StandardCharsets.UTF_8); }

  static class Strings implements QueueSerializer<String> {
    public byte[] serialize(String s) { return bytes(s); }
    public String deserialize(byte[] b) { return new String(b, StandardCharsets.UTF_8); }
  }

  static class Collect implements QueueConsumer<String> {
    final BlockingQueue<String> got = new LinkedBlockingQueue<>();
    public void consumeMessage(String s) { got.add(s); }
    public void stateChanged(CuratorFramework c, org.apache.curator.framework.state.ConnectionState s) {}
    String next() throws Exception { return got.poll(WAIT, TimeUnit.SECONDS); }
  }

  static class Leader extends LeaderSelectorListenerAdapter {
    final CountDownLatch leads = new CountDownLatch(1), resign = new CountDownLatch(1);
    public void takeLeadership(CuratorFramework c) throws Exception {
      leads.countDown();
      resign.await();
    }
  }

  static <T> Future<T> later(Callable<T> f) { return pool.submit(f); }

  public static void main(String[] args) throws Exception {
    Thread.setDefaultUncaughtExceptionHandler((t, e) -> { e.printStackTrace(); System.exit(1); });
    CuratorFramework a = client(args[0]), b = client(args[0]);

    // first half
    InterProcessMutex mutexA = new InterProcessMutex(a, "/c/mutex"), mutexB = new InterProcessMutex(b, "/c/mutex");
    ExecutorService one = Executors.newSingleThreadExecutor();
    check("mutex", get(one.submit(() -> mutexA.acquire(WAIT, TimeUnit.SECONDS))), true);
    Future<Boolean> waiting = later(() -> { boolean ok = mutexB.acquire(WAIT, TimeUnit.SECONDS); mutexB.release(); return ok; });

    InterProcessMutex gentle = new InterProcessMutex(a, "/c/revocable");
    CountDownLatch asked = new CountDownLatch(1);
    gentle.makeRevocable(l -> asked.countDown());
    get(one.submit(() -> gentle.acquire(WAIT, TimeUnit.SECONDS)));
    Revoker.attemptRevoke(b, gentle.getParticipantNodes().iterator().next());
    check("revocable mutex", asked.await(WAIT, TimeUnit.SECONDS), true);

    InterProcessReadWriteLock rwA = new InterProcessReadWriteLock(a, "/c/rw"), rwB = new InterProcessReadWriteLock(b, "/c/rw");
    check("read lock", get(one.submit(() -> rwA.readLock().acquire(WAIT, TimeUnit.SECONDS))), true);
    Future<Boolean> writing = later(() -> { boolean ok = rwB.writeLock().acquire(WAIT, TimeUnit.SECONDS); rwB.writeLock().release(); return ok; });

    InterProcessSemaphoreV2 semA = new InterProcessSemaphoreV2(a, "/c/sem", 1), semB = new InterProcessSemaphoreV2(b, "/c/sem", 1);
    Lease lease = semA.acquire();
    Future<Lease> leasing = later(() -> semB.acquire(WAIT, TimeUnit.SECONDS));

    LeaderLatch latchA = new LeaderLatch(a, "/c/latch", "a"), latchB = new LeaderLatch(b, "/c/latch", "b");
    latchA.start();
    check("leader latch", latchA.await(WAIT, TimeUnit.SECONDS), true);
    latchB.start();

    DistributedBarrier barrier = new DistributedBarrier(a, "/c/barrier");
    barrier.setBarrier();
    Future<Boolean> atBarrier = later(() -> new DistributedBarrier(b, "/c/barrier").waitOnBarrier(WAIT, TimeUnit.SECONDS));

    DistributedDoubleBarrier doubleA = new DistributedDoubleBarrier(a, "/c/double", 2), doubleB = new DistributedDoubleBarrier(b, "/c/double", 2);

    Collect items = new Collect();
    DistributedQueue<String> queue = QueueBuilder.builder(a, items, new Strings(), "/c/queue").lockPath("/c/queue-locks").buildQueue();
    queue.start();
    queue.put("1");
    check("queue", items.next(), "1");

    SharedCount count = new SharedCount(a, "/c/count", 7), countB = new SharedCount(b, "/c/count", 0);
    count.start();
    countB.start();
    BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
    countB.addListener(new SharedCountListener() {
      public void countHasChanged(SharedCountReader r, int n) { counts.add(n); }
      public void stateChanged(CuratorFramework c, org.apache.curator.framework.state.ConnectionState s) {}
    });
    check("shared count", countB.getCount(), 7);
    VersionedValue<Integer> old = countB.getVersionedValue();

    GroupMember memberA = new GroupMember(a, "/c/group", "a"), memberB = new GroupMember(b, "/c/group", "b");
    memberA.start();
    memberB.start();
    await("group", () -> memberA.getCurrentMembers().keySet().equals(Set.of("a", "b")));

    PersistentTtlNode ttl = new PersistentTtlNode(a, "/c/ttl", 600000, bytes("t"));
    ttl.start();
    check("TTL node", ttl.waitForInitialCreate(WAIT, TimeUnit.SECONDS), true);
    PersistentNode node = new PersistentNode(a, CreateMode.EPHEMERAL, true, "/c/node/n", bytes("n"));
    node.start();
    check("persistent node", node.waitForInitialCreate(WAIT, TimeUnit.SECONDS), true);

    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    CuratorCache cache = CuratorCache.build(b, "/c/cached");
    CountDownLatch cached = new CountDownLatch(1);
    cache.listenable().addListener(CuratorCacheListener.builder()
        .forCreates(n -> events.add("+" + n.getPath())).forDeletes(n -> events.add("-" + n.getPath())).forInitialized(cached::countDown).build());
    cache.start();
    check("cache", cached.await(WAIT, TimeUnit.SECONDS), true);

    System.out.println("DROP");
    System.in.read();

    // second half
    a.checkExists().forPath("/c");
    b.checkExists().forPath("/c");
    get(one.submit(() -> { mutexA.release(); return null; }));
    check("mutex passed on", get(waiting), true);
    get(one.submit(() -> { rwA.readLock().release(); gentle.release(); return null; }));
    check("write lock", get(writing), true);
    semA.returnLease(lease);
    Lease second = get(leasing);
    check("semaphore passed on", second != null, true);
    semB.returnLease(second);
    latchA.close();
    check("leader latch passed on", latchB.await(WAIT, TimeUnit.SECONDS), true);
    latchB.close();
    barrier.removeBarrier();
    check("barrier opened", get(atBarrier), true);
    Future<Boolean> entering = later(() -> doubleA.enter(WAIT, TimeUnit.SECONDS)); // not before: a lost connection ends its wait
    check("double barrier", doubleB.enter(WAIT, TimeUnit.SECONDS) && get(entering), true);
    Future<Boolean> leaving = later(() -> doubleA.leave(WAIT, TimeUnit.SECONDS));
    check("double barrier left", doubleB.leave(WAIT, TimeUnit.SECONDS) && get(leaving), true);
    queue.put("2");
    check("queue again", items.next(), "2");
    queue.flushPuts(WAIT, TimeUnit.SECONDS);
    queue.close();
    count.setCount(8);
    int heard = 0;
    while (heard != 8) heard = counts.poll(WAIT, TimeUnit.SECONDS); // after a lost connection the old value may come again
    check("shared count again", heard, 8);
    check("shared count, stale", countB.trySetCount(old, 1), false);
    await("group again", () -> memberA.getCurrentMembers().keySet().equals(Set.of("a", "b")));
    memberB.close();
    await("group left", () -> memberA.getCurrentMembers().keySet().equals(Set.of("a")));
    memberA.close();
    check("persistent node kept", a.checkExists().forPath(node.getActualPath()) != null, true);
    node.close();
    ttl.close();
    a.create().creatingParentContainersIfNeeded().forPath("/c/cached/x/y", bytes("1"));
    Set<String> made = new HashSet<>();
    for (int i = 0; i < 3; i++) made.add(events.poll(WAIT, TimeUnit.SECONDS));
    check("cache again", made, Set.of("+/c/cached", "+/c/cached/x", "+/c/cached/x/y"));
    cache.close();
    secondHalf(a, b);
    a.close();
    b.close();
    System.out.println("DONE");
    System.exit(0);
  }

  interface Test { boolean ok() throws Exception; }

  static void await(String name, Test test) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT);
    while (!test.ok()) {
      if (System.nanoTime() > end) check(name, false, true);
      Thread.sleep(10);
    }
    check(name, true, true);
  }

  /** The recipes and requests that gain nothing from a lost connection. */
  static void secondHalf(CuratorFramework a, CuratorFramework b) throws Exception {
    Leader first = new Leader(), next = new Leader();
    LeaderSelector selectA = new LeaderSelector(a, "/c/selector", first), selectB = new LeaderSelector(b, "/c/selector", next);
    selectA.start();
    check("leader selector", first.leads.await(WAIT, TimeUnit.SECONDS), true);
    selectB.start();
    first.resign.countDown();
    check("leader selector passed on", next.leads.await(WAIT, TimeUnit.SECONDS), true);
    next.resign.countDown();
    selectA.close();
    selectB.close();

    Collect urgent = new Collect();
    DistributedPriorityQueue<String> priority = QueueBuilder.builder(a, urgent, new Strings(), "/c/priority").buildPriorityQueue(0);
    priority.start();
    priority.put("p", 5);
    check("priority queue", urgent.next(), "p");
    priority.close();
    Collect due = new Collect();
    DistributedDelayQueue<String> delay = QueueBuilder.builder(a, due, new Strings(), "/c/delay").buildDelayQueue();
    delay.start();
    delay.put("d", System.currentTimeMillis() + 20);
    check("delay queue", due.next(), "d");
    delay.close();
    SimpleDistributedQueue simple = new SimpleDistributedQueue(a, "/c/simple");
    simple.offer(bytes("s"));
    check("simple queue", new String(simple.take()), "s");
    DistributedAtomicLong atomic = new DistributedAtomicLong(a, "/c/atomic", new RetryNTimes(5, 10));
    check("atomic long", atomic.add(41L).succeeded() && atomic.increment().postValue() == 42, true);
    InterProcessMultiLock multi = new InterProcessMultiLock(a, List.of("/c/m1", "/c/m2"));
    check("multi lock", multi.acquire(WAIT, TimeUnit.SECONDS), true);
    multi.release();

    Stat st = new Stat();
    String path = a.create().storingStatIn(st).withMode(CreateMode.PERSISTENT_SEQUENTIAL).forPath("/c/seq-", bytes("xy"));
    check("create with stat", path.matches("/c/seq-\\d{10}") && st.getDataLength() == 2, true);
    var results = a.transaction().forOperations(a.transactionOp().create().withMode(CreateMode.CONTAINER).forPath("/c/box"),
        a.transactionOp().create().withTtl(9999).withMode(CreateMode.PERSISTENT_WITH_TTL).forPath("/c/short"),
        a.transactionOp().check().withVersion(0).forPath(path), a.transactionOp().setData().forPath(path, bytes("z")));
    check("transaction", results.size() + " " + results.get(3).getResultStat().getVersion(), "4 1");
    String code = "none";
    try {
      a.transaction().forOperations(a.transactionOp().create().forPath("/c/never"), a.transactionOp().delete().forPath("/c/missing"));
    } catch (KeeperException e) {
      code = e.code() + " " + e.getResults().size();
    }
    check("failed transaction", code, "NONODE 2");
    CountDownLatch told = new CountDownLatch(3);
    b.watchers().add().withMode(AddWatchMode.PERSISTENT_RECURSIVE).usingWatcher((Watcher) e -> told.countDown()).forPath("/c/box");
    a.create().forPath("/c/box/in", bytes(""));
    a.setData().forPath("/c/box/in", bytes("1"));
    a.delete().deletingChildrenIfNeeded().forPath("/c/box");
    check("recursive watch", told.await(WAIT, TimeUnit.SECONDS), true);
    b.watchers().removeAll().forPath("/c/box");
  }
}
