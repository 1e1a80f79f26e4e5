import java.util.*;
import java.util.concurrent.*;
import org.apache.curator.framework.*;
import org.apache.curator.framework.recipes.atomic.*;
import org.apache.curator.framework.recipes.leader.*;
import org.apache.curator.framework.recipes.locks.*;
import org.apache.curator.framework.recipes.nodes.*;
import org.apache.curator.framework.recipes.queue.*;
import org.apache.curator.framework.recipes.shared.*;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.x.discovery.*;
import org.apache.zookeeper.CreateMode;

/**
 * The recipes of Curator that Kinds and Contend leave out: queues with ids, sharded and simple ones, discovery, nodes with
 * a time to live, protected persistent nodes, the lock of several locks, the old semaphore, the semaphore mutex, shared
 * values and integers. Prints READY once each recipe itself reports the wanted state, and before that what it reports.
 */
public class MoreKinds {
    static CuratorFramework[] c = new CuratorFramework[3];

    interface Act { void run() throws Exception; }

    static void later(Act act) {
        Thread t = new Thread(() -> { try { act.run(); } catch (Throwable e) { System.out.println("FAILED " + e); } });
        t.setDaemon(true);
        t.start();
    }

    static void until(String what, Callable<Boolean> ok) throws Exception {
        long end = System.currentTimeMillis() + 20000;
        while (!ok.call()) {
            if (System.currentTimeMillis() > end) { System.out.println("FAILED " + what); System.exit(1); }
            Thread.sleep(10);
        }
    }

    static int kids(String path) throws Exception {
        return c[0].checkExists().forPath(path) == null ? 0 : c[0].getChildren().forPath(path).size();
    }

    static final QueueSerializer<String> text = new QueueSerializer<String>() {
        public byte[] serialize(String s) { return s.getBytes(); }
        public String deserialize(byte[] b) { return new String(b); }
    };

    static void queues() throws Exception {
        DistributedIdQueue<String> ids = QueueBuilder.builder(c[0], null, text, "/more/ids").buildIdQueue();
        ids.start();
        ids.put("one", "id-1");
        until("the first id", () -> kids("/more/ids") == 1);
        ids.put("two", "id-2");
        until("two ids", () -> kids("/more/ids") == 2);
        SimpleDistributedQueue simple = new SimpleDistributedQueue(c[0], "/more/simple");
        simple.offer("a".getBytes());
        simple.offer("b".getBytes());
        if (!new String(simple.peek()).equals("a")) System.out.println("FAILED the wrong head");
        QueueAllocator<String, DistributedQueue<String>> alloc = (f, path) -> QueueBuilder.builder(f, null, text, path).buildQueue();
        QueueSharder<String, DistributedQueue<String>> sharder = new QueueSharder<>(c[0], alloc, "/more/shards", "/more/shards-leader",
            QueueSharderPolicies.builder().newQueueThreshold(1).thresholdCheckMs(50).build());
        sharder.start();
        sharder.getQueue().put("first");
        sharder.getQueue().put("second");
        until("a second shard", () -> sharder.getShardQty() >= 2);
        for (String path : sharder.getQueuePaths()) {
            int before = kids(path);
            DistributedQueue<String> q = QueueBuilder.builder(c[0], null, text, path).buildQueue();
            q.start();
            q.put("more");
            until("an item in " + path, () -> kids(path) == before + 1);
        }
        int depth = 0;
        for (String path : sharder.getQueuePaths()) depth += kids(path);
        System.out.println("SHARDED " + depth);
    }

    static void nodes() throws Exception {
        PersistentTtlNode ttl = new PersistentTtlNode(c[0], "/more/kept", 20000, "ttl-A".getBytes());
        ttl.start();
        ttl.waitForInitialCreate(10, TimeUnit.SECONDS);
        until("the touch", () -> c[0].checkExists().forPath("/more/kept/touch") != null);
        for (int i = 0; i < 2; i++) {
            PersistentNode p = new PersistentNode(c[i], CreateMode.EPHEMERAL, true, "/more/present/web", ("web-" + "AB".charAt(i)).getBytes());
            p.start();
            p.waitForInitialCreate(10, TimeUnit.SECONDS);
        }
    }

    static void discovery() throws Exception {
        for (int i = 0; i < 2; i++) {
            ServiceInstance<Void> one = ServiceInstance.<Void>builder().name("shop").id("shop-" + "AB".charAt(i)).address("10.0.0." + (i + 1)).port(8080).build();
            ServiceDiscovery<Void> d = ServiceDiscoveryBuilder.builder(Void.class).client(c[i]).basePath("/more/discovery").thisInstance(one).build();
            d.start();
            int n = i + 1;
            until("an instance", () -> d.queryForInstances("shop").size() == n);
        }
    }

    static void locks() throws Exception {
        InterProcessMultiLock multi = new InterProcessMultiLock(c[0], Arrays.asList("/more/multi/one", "/more/multi/two"));
        multi.acquire();
        InterProcessMultiLock wants = new InterProcessMultiLock(c[1], Arrays.asList("/more/multi/one", "/more/multi/two"));
        later(() -> wants.acquire());
        until("a waiter for the first lock", () -> kids("/more/multi/one") == 2);
        InterProcessSemaphoreMutex[] m = { new InterProcessSemaphoreMutex(c[0], "/more/semmutex"), new InterProcessSemaphoreMutex(c[1], "/more/semmutex") };
        m[0].acquire();
        later(() -> m[1].acquire());
        until("a waiter for the semaphore mutex", () -> kids("/more/semmutex/leases") == 2);
        InterProcessSemaphore[] old = new InterProcessSemaphore[3];
        for (int i = 0; i < 3; i++) {
            int k = i;
            old[i] = new InterProcessSemaphore(c[i], "/more/old", 2);
            later(() -> old[k].acquire());
            until("place " + i, () -> kids("/more/old") == k + 1);
        }
        LeaderLatch[] l = new LeaderLatch[3];
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            int k = i;
            l[i] = new LeaderLatch(c[i], "/more/latch", "l-" + "ABC".charAt(i));
            l[i].start();
            until("candidate " + i, () -> kids("/more/latch") == k + 1);
        }
        until("a leader", () -> l[0].hasLeadership());
        for (Participant p : l[0].getParticipants()) order.append(p.isLeader() ? " leader " : " candidate ").append(p.getId());
        System.out.println("LATCH" + order);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < c.length; i++) {
            c[i] = CuratorFrameworkFactory.builder().connectString(args[0]).sessionTimeoutMs(6000).connectionTimeoutMs(5000).retryPolicy(new RetryOneTime(100)).build();
            c[i].start();
            c[i].blockUntilConnected();
        }
        queues();
        nodes();
        discovery();
        locks();
        SharedValue v = new SharedValue(c[0], "/more/sharedvalue", "seed".getBytes());
        v.start();
        v.setValue("grown".getBytes());
        DistributedAtomicInteger n = new DistributedAtomicInteger(c[0], "/more/counters/int", new RetryOneTime(100));
        n.add(7);
        System.out.println("INT " + n.get().postValue());
        System.out.println("READY");
        while (System.in.read() >= 0) { }
    }
}
